module go-fleet

go 1.24

require (
	github.com/pulumi-proxyrental/pulumi-proxyrental/sdk/go v0.0.0
	github.com/pulumi/pulumi/sdk/v3 v3.220.0
)

replace github.com/pulumi-proxyrental/pulumi-proxyrental/sdk/go => ./sdks/proxyrental
