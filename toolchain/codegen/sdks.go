package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/pulumi/pulumi-java/pkg/codegen/java"
	"github.com/pulumi/pulumi/pkg/v3/codegen/dotnet"
	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"golang.org/x/mod/modfile"
)

// The generators write this into the head of each file.
const tool = "pulumi-proxyrental"

type files = map[string][]byte

var generators = map[string]func(*schema.Package) (files, error){
	"nodejs": func(pkg *schema.Package) (files, error) {
		return nodejs.GeneratePackage(tool, pkg, nil, nil, false, nil)
	},
	"python": func(pkg *schema.Package) (files, error) {
		return python.GeneratePackage(tool, pkg, nil, nil)
	},
	"go":     writeGo,
	"dotnet": writeDotnet,
	"java": func(pkg *schema.Package) (files, error) {
		return java.GeneratePackage(tool, pkg, nil, nil, false, false)
	},
}

// The oldest releases that the written code compiles with. The generator names an older one, and not all modules.
var goRequirements = map[string]string{
	"github.com/blang/semver":         "v3.5.1+incompatible",
	"github.com/pulumi/pulumi/sdk/v3": "v3.165.0",
}

func writeGo(pkg *schema.Package) (files, error) {
	written, err := gogen.GeneratePackage(tool, pkg, nil)
	if err != nil {
		return nil, err
	}
	module, err := modfile.Parse("go.mod", written["go.mod"], nil)
	if err != nil {
		return nil, err
	}
	for path, version := range goRequirements {
		if err := module.AddRequire(path, version); err != nil {
			return nil, err
		}
	}
	written["go.mod"], err = module.Format()
	return written, err
}

// The generator would download the logo, and NuGet shows no SVG.
func writeDotnet(pkg *schema.Package) (files, error) {
	usual := http.DefaultTransport
	http.DefaultTransport = noLogo{}
	defer func() { http.DefaultTransport = usual }()
	written, err := dotnet.GeneratePackage(tool, pkg, nil, nil)
	if err != nil {
		return nil, err
	}
	delete(written, "logo.png")
	for name, text := range written {
		if strings.HasSuffix(name, ".csproj") {
			written[name] = withoutLogo(text)
		}
	}
	return written, nil
}

type noLogo struct{}

func (noLogo) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
}

var logoLines = regexp.MustCompile(`(?s)\s*<PackageIcon>[^<]*</PackageIcon>|\s*<None Include="logo.png">.*?</None>`)

func withoutLogo(project []byte) []byte {
	return logoLines.ReplaceAll(project, nil)
}

func writeSDKs(spec schema.PackageSpec, folder string, languages []string) error {
	for _, language := range languages {
		generate, known := generators[language]
		if !known {
			return fmt.Errorf("%q is none of nodejs, python, go, dotnet, java", language)
		}
		pkg, err := bind(spec)
		if err != nil {
			return err
		}
		written, err := generate(pkg)
		if err != nil {
			return fmt.Errorf("%s: %w", language, err)
		}
		if err := writeFiles(filepath.Join(folder, language), written); err != nil {
			return err
		}
	}
	return nil
}

func writeFiles(folder string, written files) error {
	// What an older schema had must not stay.
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	for name, text := range written {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
