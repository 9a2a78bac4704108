package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// correct mends what the generators of programs write and no compiler takes. The examples are compiled in the tests, so
// that a rule which is not needed any more does no harm, and a missing one is noticed.
func correct(spec schema.PackageSpec, language, program string) string {
	switch language {
	case "go":
		return correctGo(program)
	case "java":
		return correctJava(spec, program)
	}
	return program
}

var (
	goNoArguments = regexp.MustCompile(`\(ctx, map\[string\]interface\{\}\{\}, nil\)`)
	goInvoked     = regexp.MustCompile(`(\w+), err :?= \w+\.Get\w+\(`)
)

func correctGo(program string) string {
	// A function without arguments takes none.
	program = goNoArguments.ReplaceAllString(program, "(ctx)")
	// The answer of a function is a plain value, and an export is not.
	for _, found := range goInvoked.FindAllStringSubmatch(program, -1) {
		exported := regexp.MustCompile(fmt.Sprintf(`(ctx\.Export\("\w+", )(%s\.\w+)\)`, found[1]))
		program = exported.ReplaceAllString(program, "${1}pulumi.Any(${2}))")
	}
	return program
}

var (
	javaNoArguments = regexp.MustCompile(`\(%!v\(PANIC=[^;]*;`)
	javaUnused      = regexp.MustCompile(`import (java\.[\w.]+|com\.pulumi\.core\.Output);\n`)
	javaInvoked     = regexp.MustCompile(`final var (\w+) = \w+Functions\.`)
	javaEnum        = regexp.MustCompile(`\.(\w+)\("(\w+)"\)`)
	javaImports     = regexp.MustCompile(`import com\.pulumi\.Pulumi;\n`)
)

func correctJava(spec schema.PackageSpec, program string) string {
	base := javaPackage(spec)
	program = strings.ReplaceAll(program, "com.pulumi."+spec.Name+".", base+".")
	program = javaNoArguments.ReplaceAllString(program, "();")
	program = javaUnused.ReplaceAllString(program, "")
	program = strings.Replace(program, "package generated_program;", "package app;", 1)
	// The answer of a function comes later.
	for _, found := range javaInvoked.FindAllStringSubmatch(program, -1) {
		exported := regexp.MustCompile(fmt.Sprintf(`(ctx\.export\("\w+", %s)\.(\w+)\(\)\)`, found[1]))
		program = exported.ReplaceAllString(program, "${1}.applyValue(result -> result.${2}()))")
	}
	// A choice is a constant, and no text.
	imports := map[string]bool{}
	program = javaEnum.ReplaceAllStringFunc(program, func(call string) string {
		parts := javaEnum.FindStringSubmatch(call)
		name, constant := findChoice(spec, parts[1], parts[2])
		if constant == "" {
			return call
		}
		imports[name] = true
		return fmt.Sprintf(".%s(%s.%s)", parts[1], name, constant)
	})
	for name := range imports {
		line := fmt.Sprintf("import %s.enums.%s;\n", base, name)
		program = javaImports.ReplaceAllString(program, "${0}"+line)
	}
	return program
}

func javaPackage(spec schema.PackageSpec) string {
	var info struct {
		BasePackage string `json:"basePackage"`
	}
	if err := decode(spec.Language["java"], &info); err != nil {
		panic(err)
	}
	return info.BasePackage + "." + spec.Name
}

// findChoice gives the type and the constant of a property's value, if its type is a choice that is named like it.
func findChoice(spec schema.PackageSpec, property, value string) (string, string) {
	name := strings.ToUpper(property[:1]) + property[1:]
	for _, choice := range spec.Types[spec.Name+":index:"+name].Enum {
		if choice.Value == value {
			return name, choice.Name
		}
	}
	return "", ""
}
