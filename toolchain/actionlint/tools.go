//go:build tools

// Package tools keeps the linter in go.mod: go mod tidy drops a module that nothing imports.
package tools

import _ "github.com/rhysd/actionlint/cmd/actionlint"
