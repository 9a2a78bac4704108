//go:build tools

// Package tools keeps the language host in go.mod: go mod tidy drops a module that nothing imports.
package tools

import _ "github.com/pulumi/pulumi/sdk/v3/go/pulumi-language-go"
