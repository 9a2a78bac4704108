package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi-java/pkg/codegen/java"
	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml"
	yamlgen "github.com/pulumi/pulumi-yaml/pkg/pulumiyaml/codegen"
	"github.com/pulumi/pulumi/pkg/v3/codegen/dotnet"
	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// By the names that the registry gives the languages.
var programGenerators = map[string]func(*pcl.Program) (files, hcl.Diagnostics, error){
	"typescript": nodejs.GenerateProgram,
	"python":     python.GenerateProgram,
	"go":         gogen.GenerateProgram,
	"csharp":     dotnet.GenerateProgram,
	"java":       java.GenerateProgram,
}

// writePrograms reads {name: YAML} and writes {name: {language: text}}.
func writePrograms(spec schema.PackageSpec, in io.Reader, out io.Writer) error {
	var sources map[string]string
	if err := json.NewDecoder(in).Decode(&sources); err != nil {
		return err
	}
	written := map[string]map[string]string{}
	for name, source := range sources {
		written[name] = map[string]string{}
		for language, generate := range programGenerators {
			text, err := writeProgram(spec, source, generate)
			if err != nil {
				return fmt.Errorf("%s in %s: %w", name, language, err)
			}
			written[name][language] = correct(spec, language, text)
		}
	}
	return json.NewEncoder(out).Encode(written)
}

func writeProgram(
	spec schema.PackageSpec,
	source string,
	generate func(*pcl.Program) (files, hcl.Diagnostics, error),
) (string, error) {
	pkg, err := bind(spec)
	if err != nil {
		return "", err
	}
	template, parsed, err := pulumiyaml.LoadYAMLBytes("Pulumi.yaml", []byte(source))
	if err != nil || parsed.HasErrors() {
		return "", errors.Join(err, parsed.HCL())
	}
	program, ejected, err := yamlgen.EjectProgram(template, loader{pkg})
	if err != nil || ejected.HasErrors() {
		return "", errors.Join(err, ejected)
	}
	generated, diagnostics, err := generate(program)
	if err != nil || diagnostics.HasErrors() {
		return "", errors.Join(err, diagnostics)
	}
	for name, text := range generated {
		switch filepath.Ext(name) {
		case ".ts", ".py", ".go", ".cs", ".java":
			return strings.TrimRight(string(text), "\n") + "\n", nil
		}
	}
	return "", errors.New("the generator wrote no program")
}

// loader knows this package, which needs no plugin to be read.
type loader struct{ pkg *schema.Package }

var _ schema.ReferenceLoader = loader{}

func (l loader) LoadPackage(name string, _ *semver.Version) (*schema.Package, error) {
	if name == "pulumi" {
		return schema.DefaultPulumiPackage, nil
	}
	if name != l.pkg.Name {
		return nil, fmt.Errorf("examples use no other package than %s: %s", l.pkg.Name, name)
	}
	return l.pkg, nil
}

func (l loader) LoadPackageV2(_ context.Context, wanted *schema.PackageDescriptor) (*schema.Package, error) {
	return l.LoadPackage(wanted.Name, wanted.Version)
}

func (l loader) LoadPackageReference(name string, version *semver.Version) (schema.PackageReference, error) {
	pkg, err := l.LoadPackage(name, version)
	if err != nil {
		return nil, err
	}
	return pkg.Reference(), nil
}

func (l loader) LoadPackageReferenceV2(
	_ context.Context, wanted *schema.PackageDescriptor,
) (schema.PackageReference, error) {
	return l.LoadPackageReference(wanted.Name, wanted.Version)
}
