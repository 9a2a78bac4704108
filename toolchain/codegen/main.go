// Command codegen writes what Pulumi's own generators make of schema.json.
//
//	codegen sdks SCHEMA FOLDER LANGUAGE...    an SDK for each language, below FOLDER
//	codegen programs SCHEMA                   reads YAML programs by name from stdin, and writes them in every language
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 2 {
		return fmt.Errorf("usage: codegen sdks SCHEMA FOLDER LANGUAGE... | codegen programs SCHEMA")
	}
	command, path := args[0], args[1]
	spec, err := readSpec(path)
	if err != nil {
		return err
	}
	switch {
	case command == "sdks" && len(args) > 3:
		return writeSDKs(spec, args[2], args[3:])
	case command == "programs" && len(args) == 2:
		return writePrograms(spec, os.Stdin, os.Stdout)
	}
	return fmt.Errorf("unknown command: %q", args)
}

func readSpec(path string) (schema.PackageSpec, error) {
	var spec schema.PackageSpec
	text, err := os.ReadFile(path)
	if err != nil {
		return spec, err
	}
	return spec, decode(text, &spec)
}

func decode(text []byte, target any) error { return json.Unmarshal(text, target) }

// bind checks the schema against the rules of all languages. Each generator gets a copy of its own, because it adds to
// it what it has found out.
func bind(spec schema.PackageSpec) (*schema.Package, error) {
	pkg, diagnostics, err := schema.BindSpec(spec, nil, schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	// A warning is something that a generator can't write as it stands.
	if len(diagnostics) > 0 {
		return nil, diagnostics
	}
	return pkg, nil
}
