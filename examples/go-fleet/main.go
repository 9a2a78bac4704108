// A proxy fleet in Go.
//
// The plugin comes from npm. The Go package is generated from the schema that lies beside the plugin:
//
//	npm install pulumi-proxyrental
//	pulumi package add node_modules/pulumi-proxyrental/schema.json
//	pulumi stack init dev
//	pulumi config set proxyrental:baseUrl https://api.example.com
//	pulumi config set --secret proxyrental:apiKey …
//	pulumi preview    shows what it costs, to the cent, and spends nothing
//	pulumi up         spends that, once
package main

import (
	"github.com/pulumi-proxyrental/pulumi-proxyrental/sdk/go/proxyrental"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		account, err := proxyrental.GetBalance(ctx)
		if err != nil {
			return err
		}

		// A larger number buys the difference, at the price in the preview.
		quantity := config.GetInt(ctx, "crawlers")
		if quantity == 0 {
			quantity = 5
		}
		crawlers, err := proxyrental.NewProxyOrder(ctx, "crawlers", &proxyrental.ProxyOrderArgs{
			ProxyType:      proxyrental.ProxyTypeIpv4,
			Country:        pulumi.String("USA"),
			Quantity:       pulumi.Int(quantity),
			RentPeriodDays: pulumi.Int(30),
			Goal:           pulumi.String("search monitoring"),
			// Nothing is bought above this price.
			MaxPrice: pulumi.Float64(20),
		})
		if err != nil {
			return err
		}

		// This costs nothing now. From then on the service charges the balance each time the proxies are about to end. To
		// stop that, take this resource out of the program.
		renewal, err := proxyrental.NewIpAutoExtend(ctx, "keep-crawlers", &proxyrental.IpAutoExtendArgs{
			ProxyType:      proxyrental.ProxyTypeIpv4,
			IpAddressIds:   crawlers.IpAddressIds,
			RentPeriodDays: pulumi.Int(30),
		})
		if err != nil {
			return err
		}

		ctx.Export("balanceBefore", pulumi.Float64(account.Balance))
		ctx.Export("firstAddress", crawlers.Proxies.Index(pulumi.Int(0)).IpAddressIp())
		ctx.Export("paidUntil", crawlers.ExpiresAt)
		ctx.Export("nextExtensionCosts", renewal.Quote.PricePerCycle())
		// A secret: pulumi stack output urls --show-secrets
		ctx.Export("urls", crawlers.Urls)
		return nil
	})
}
