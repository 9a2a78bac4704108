"""A proxy fleet in Python.

The plugin comes from npm. The Python package is generated from the schema that lies beside the plugin:
    npm install pulumi-proxyrental
    pulumi package add node_modules/pulumi-proxyrental/schema.json
    pulumi stack init dev
    pulumi config set proxyrental:baseUrl https://api.example.com
    pulumi config set --secret proxyrental:apiKey …
    pulumi preview    shows what it costs, to the cent, and spends nothing
    pulumi up         spends that, once
"""

import pulumi
import pulumi_proxyrental as proxyrental

config = pulumi.Config()

account = proxyrental.get_balance()

crawlers = proxyrental.ProxyOrder(
    "crawlers",
    proxy_type=proxyrental.ProxyType.ISP,
    country="USA",
    # A larger number buys the difference, at the price in the preview.
    quantity=config.get_int("crawlers") or 5,
    rent_period_days=30,
    goal="search monitoring",
    # Nothing is bought above this price.
    max_price=20,
)

# This costs nothing now. From then on the service charges the balance each time the proxies are about to end. To
# stop that, take this resource out of the program.
renewal = proxyrental.IpAutoExtend(
    "keep-crawlers",
    proxy_type=proxyrental.ProxyType.ISP,
    ip_address_ids=crawlers.ip_address_ids,
    rent_period_days=30,
)

pulumi.export("balanceBefore", account.balance)
pulumi.export("addresses", crawlers.proxies.apply(lambda found: [proxy.ip_address_ip for proxy in found]))
pulumi.export("paidUntil", crawlers.expires_at)
pulumi.export("nextExtensionCosts", renewal.quote.price_per_cycle)
# A secret: pulumi stack output urls --show-secrets
pulumi.export("urls", crawlers.urls)
