//go:build tools

// Package tools keeps the server in go.mod: go mod tidy drops a module that nothing imports.
package tools

import _ "github.com/johannesboyne/gofakes3/cmd/gofakes3"
