/** Written by `npm run schema:examples`: how a program uses each resource and function, in every language. */
export const examples = {
  IpAutoExtend: {
    title: "Extended until the program no longer says so",
    programs: {
      typescript:
        'import * as pulumi from "@pulumi/pulumi";\nimport * as proxyrental from "@pulumi-proxyrental/proxyrental";\n\nconst crawlers = new proxyrental.ProxyOrder("crawlers", {\n    proxyType: proxyrental.ProxyType.Isp,\n    country: "USA",\n    quantity: 5,\n    rentPeriodDays: 30,\n    goal: "search monitoring",\n});\nconst renewal = new proxyrental.IpAutoExtend("renewal", {\n    proxyType: proxyrental.ProxyType.Isp,\n    ipAddressIds: crawlers.ipAddressIds,\n    rentPeriodDays: 30,\n});\n',
      python:
        'import pulumi\nimport pulumi_proxyrental as proxyrental\n\ncrawlers = proxyrental.ProxyOrder("crawlers",\n    proxy_type=proxyrental.ProxyType.ISP,\n    country="USA",\n    quantity=5,\n    rent_period_days=30,\n    goal="search monitoring")\nrenewal = proxyrental.IpAutoExtend("renewal",\n    proxy_type=proxyrental.ProxyType.ISP,\n    ip_address_ids=crawlers.ip_address_ids,\n    rent_period_days=30)\n',
      go: 'package main\n\nimport (\n\t"github.com/pulumi-proxyrental/pulumi-proxyrental/sdk/go/proxyrental"\n\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"\n)\n\nfunc main() {\n\tpulumi.Run(func(ctx *pulumi.Context) error {\n\t\tcrawlers, err := proxyrental.NewProxyOrder(ctx, "crawlers", &proxyrental.ProxyOrderArgs{\n\t\t\tProxyType:      proxyrental.ProxyTypeIsp,\n\t\t\tCountry:        pulumi.String("USA"),\n\t\t\tQuantity:       pulumi.Int(5),\n\t\t\tRentPeriodDays: pulumi.Int(30),\n\t\t\tGoal:           pulumi.String("search monitoring"),\n\t\t})\n\t\tif err != nil {\n\t\t\treturn err\n\t\t}\n\t\t_, err = proxyrental.NewIpAutoExtend(ctx, "renewal", &proxyrental.IpAutoExtendArgs{\n\t\t\tProxyType:      proxyrental.ProxyTypeIsp,\n\t\t\tIpAddressIds:   crawlers.IpAddressIds,\n\t\t\tRentPeriodDays: pulumi.Int(30),\n\t\t})\n\t\tif err != nil {\n\t\t\treturn err\n\t\t}\n\t\treturn nil\n\t})\n}\n',
      csharp:
        'using System.Collections.Generic;\nusing System.Linq;\nusing Pulumi;\nusing Proxyrental = ProxyRentalService.Proxyrental;\n\nreturn await Deployment.RunAsync(() => \n{\n    var crawlers = new Proxyrental.ProxyOrder("crawlers", new()\n    {\n        ProxyType = Proxyrental.ProxyType.Isp,\n        Country = "USA",\n        Quantity = 5,\n        RentPeriodDays = 30,\n        Goal = "search monitoring",\n    });\n\n    var renewal = new Proxyrental.IpAutoExtend("renewal", new()\n    {\n        ProxyType = Proxyrental.ProxyType.Isp,\n        IpAddressIds = crawlers.IpAddressIds,\n        RentPeriodDays = 30,\n    });\n\n});\n',
      java: 'package app;\n\nimport com.pulumi.Context;\nimport com.pulumi.Pulumi;\nimport io.github.pulumi_proxyrental.proxyrental.enums.ProxyType;\nimport io.github.pulumi_proxyrental.proxyrental.ProxyOrder;\nimport io.github.pulumi_proxyrental.proxyrental.ProxyOrderArgs;\nimport io.github.pulumi_proxyrental.proxyrental.IpAutoExtend;\nimport io.github.pulumi_proxyrental.proxyrental.IpAutoExtendArgs;\n\npublic class App {\n    public static void main(String[] args) {\n        Pulumi.run(App::stack);\n    }\n\n    public static void stack(Context ctx) {\n        var crawlers = new ProxyOrder("crawlers", ProxyOrderArgs.builder()\n            .proxyType(ProxyType.Isp)\n            .country("USA")\n            .quantity(5)\n            .rentPeriodDays(30)\n            .goal("search monitoring")\n            .build());\n\n        var renewal = new IpAutoExtend("renewal", IpAutoExtendArgs.builder()\n            .proxyType(ProxyType.Isp)\n            .ipAddressIds(crawlers.ipAddressIds())\n            .rentPeriodDays(30)\n            .build());\n\n    }\n}\n',
      yaml: "resources:\n  crawlers:\n    type: proxyrental:ProxyOrder\n    properties:\n      proxyType: ISP\n      country: USA\n      quantity: 5\n      rentPeriodDays: 30\n      goal: search monitoring\n  renewal:\n    type: proxyrental:IpAutoExtend\n    properties:\n      proxyType: ISP\n      ipAddressIds: ${crawlers.ipAddressIds}\n      rentPeriodDays: 30\n",
    },
  },
  IpExtension: {
    title: "Paid through the end of a campaign",
    programs: {
      typescript:
        'import * as pulumi from "@pulumi/pulumi";\nimport * as proxyrental from "@pulumi-proxyrental/proxyrental";\n\nconst campaign = new proxyrental.ProxyOrder("campaign", {\n    proxyType: proxyrental.ProxyType.Ipv4,\n    country: "USA",\n    quantity: 5,\n    rentPeriodDays: 30,\n    goal: "ad verification",\n});\nconst extension = new proxyrental.IpExtension("extension", {\n    proxyType: proxyrental.ProxyType.Ipv4,\n    ipAddressIds: campaign.ipAddressIds,\n    rentPeriodDays: 30,\n    paidThrough: "2027-01-31",\n    maxPrice: 30,\n});\nexport const paidUntil = extension.paidUntil;\n',
      python:
        'import pulumi\nimport pulumi_proxyrental as proxyrental\n\ncampaign = proxyrental.ProxyOrder("campaign",\n    proxy_type=proxyrental.ProxyType.IPV4,\n    country="USA",\n    quantity=5,\n    rent_period_days=30,\n    goal="ad verification")\nextension = proxyrental.IpExtension("extension",\n    proxy_type=proxyrental.ProxyType.IPV4,\n    ip_address_ids=campaign.ip_address_ids,\n    rent_period_days=30,\n    paid_through="2027-01-31",\n    max_price=30)\npulumi.export("paidUntil", extension.paid_until)\n',
      go: 'package main\n\nimport (\n\t"github.com/pulumi-proxyrental/pulumi-proxyrental/sdk/go/proxyrental"\n\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"\n)\n\nfunc main() {\n\tpulumi.Run(func(ctx *pulumi.Context) error {\n\t\tcampaign, err := proxyrental.NewProxyOrder(ctx, "campaign", &proxyrental.ProxyOrderArgs{\n\t\t\tProxyType:      proxyrental.ProxyTypeIpv4,\n\t\t\tCountry:        pulumi.String("USA"),\n\t\t\tQuantity:       pulumi.Int(5),\n\t\t\tRentPeriodDays: pulumi.Int(30),\n\t\t\tGoal:           pulumi.String("ad verification"),\n\t\t})\n\t\tif err != nil {\n\t\t\treturn err\n\t\t}\n\t\textension, err := proxyrental.NewIpExtension(ctx, "extension", &proxyrental.IpExtensionArgs{\n\t\t\tProxyType:      proxyrental.ProxyTypeIpv4,\n\t\t\tIpAddressIds:   campaign.IpAddressIds,\n\t\t\tRentPeriodDays: pulumi.Int(30),\n\t\t\tPaidThrough:    pulumi.String("2027-01-31"),\n\t\t\tMaxPrice:       pulumi.Float64(30),\n\t\t})\n\t\tif err != nil {\n\t\t\treturn err\n\t\t}\n\t\tctx.Export("paidUntil", extension.PaidUntil)\n\t\treturn nil\n\t})\n}\n',
      csharp:
        'using System.Collections.Generic;\nusing System.Linq;\nusing Pulumi;\nusing Proxyrental = ProxyRentalService.Proxyrental;\n\nreturn await Deployment.RunAsync(() => \n{\n    var campaign = new Proxyrental.ProxyOrder("campaign", new()\n    {\n        ProxyType = Proxyrental.ProxyType.Ipv4,\n        Country = "USA",\n        Quantity = 5,\n        RentPeriodDays = 30,\n        Goal = "ad verification",\n    });\n\n    var extension = new Proxyrental.IpExtension("extension", new()\n    {\n        ProxyType = Proxyrental.ProxyType.Ipv4,\n        IpAddressIds = campaign.IpAddressIds,\n        RentPeriodDays = 30,\n        PaidThrough = "2027-01-31",\n        MaxPrice = 30,\n    });\n\n    return new Dictionary<string, object?>\n    {\n        ["paidUntil"] = extension.PaidUntil,\n    };\n});\n',
      java: 'package app;\n\nimport com.pulumi.Context;\nimport com.pulumi.Pulumi;\nimport io.github.pulumi_proxyrental.proxyrental.enums.ProxyType;\nimport io.github.pulumi_proxyrental.proxyrental.ProxyOrder;\nimport io.github.pulumi_proxyrental.proxyrental.ProxyOrderArgs;\nimport io.github.pulumi_proxyrental.proxyrental.IpExtension;\nimport io.github.pulumi_proxyrental.proxyrental.IpExtensionArgs;\n\npublic class App {\n    public static void main(String[] args) {\n        Pulumi.run(App::stack);\n    }\n\n    public static void stack(Context ctx) {\n        var campaign = new ProxyOrder("campaign", ProxyOrderArgs.builder()\n            .proxyType(ProxyType.Ipv4)\n            .country("USA")\n            .quantity(5)\n            .rentPeriodDays(30)\n            .goal("ad verification")\n            .build());\n\n        var extension = new IpExtension("extension", IpExtensionArgs.builder()\n            .proxyType(ProxyType.Ipv4)\n            .ipAddressIds(campaign.ipAddressIds())\n            .rentPeriodDays(30)\n            .paidThrough("2027-01-31")\n            .maxPrice(30.0)\n            .build());\n\n        ctx.export("paidUntil", extension.paidUntil());\n    }\n}\n',
      yaml: 'resources:\n  campaign:\n    type: proxyrental:ProxyOrder\n    properties:\n      proxyType: IPv4\n      country: USA\n      quantity: 5\n      rentPeriodDays: 30\n      goal: ad verification\n  extension:\n    type: proxyrental:IpExtension\n    properties:\n      proxyType: IPv4\n      ipAddressIds: ${campaign.ipAddressIds}\n      rentPeriodDays: 30\n      paidThrough: "2027-01-31"\n      maxPrice: 30\noutputs:\n  paidUntil: ${extension.paidUntil}\n',
    },
  },
  ProxyOrder: {
    title: "Five proxies in one country",
    programs: {
      typescript:
        'import * as pulumi from "@pulumi/pulumi";\nimport * as proxyrental from "@pulumi-proxyrental/proxyrental";\n\nconst crawlers = new proxyrental.ProxyOrder("crawlers", {\n    proxyType: proxyrental.ProxyType.Isp,\n    country: "USA",\n    quantity: 5,\n    rentPeriodDays: 30,\n    goal: "search monitoring",\n    maxPrice: 20,\n});\nexport const paidUntil = crawlers.expiresAt;\nexport const urls = crawlers.urls;\n',
      python:
        'import pulumi\nimport pulumi_proxyrental as proxyrental\n\ncrawlers = proxyrental.ProxyOrder("crawlers",\n    proxy_type=proxyrental.ProxyType.ISP,\n    country="USA",\n    quantity=5,\n    rent_period_days=30,\n    goal="search monitoring",\n    max_price=20)\npulumi.export("paidUntil", crawlers.expires_at)\npulumi.export("urls", crawlers.urls)\n',
      go: 'package main\n\nimport (\n\t"github.com/pulumi-proxyrental/pulumi-proxyrental/sdk/go/proxyrental"\n\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"\n)\n\nfunc main() {\n\tpulumi.Run(func(ctx *pulumi.Context) error {\n\t\tcrawlers, err := proxyrental.NewProxyOrder(ctx, "crawlers", &proxyrental.ProxyOrderArgs{\n\t\t\tProxyType:      proxyrental.ProxyTypeIsp,\n\t\t\tCountry:        pulumi.String("USA"),\n\t\t\tQuantity:       pulumi.Int(5),\n\t\t\tRentPeriodDays: pulumi.Int(30),\n\t\t\tGoal:           pulumi.String("search monitoring"),\n\t\t\tMaxPrice:       pulumi.Float64(20),\n\t\t})\n\t\tif err != nil {\n\t\t\treturn err\n\t\t}\n\t\tctx.Export("paidUntil", crawlers.ExpiresAt)\n\t\tctx.Export("urls", crawlers.Urls)\n\t\treturn nil\n\t})\n}\n',
      csharp:
        'using System.Collections.Generic;\nusing System.Linq;\nusing Pulumi;\nusing Proxyrental = ProxyRentalService.Proxyrental;\n\nreturn await Deployment.RunAsync(() => \n{\n    var crawlers = new Proxyrental.ProxyOrder("crawlers", new()\n    {\n        ProxyType = Proxyrental.ProxyType.Isp,\n        Country = "USA",\n        Quantity = 5,\n        RentPeriodDays = 30,\n        Goal = "search monitoring",\n        MaxPrice = 20,\n    });\n\n    return new Dictionary<string, object?>\n    {\n        ["paidUntil"] = crawlers.ExpiresAt,\n        ["urls"] = crawlers.Urls,\n    };\n});\n',
      java: 'package app;\n\nimport com.pulumi.Context;\nimport com.pulumi.Pulumi;\nimport io.github.pulumi_proxyrental.proxyrental.enums.ProxyType;\nimport io.github.pulumi_proxyrental.proxyrental.ProxyOrder;\nimport io.github.pulumi_proxyrental.proxyrental.ProxyOrderArgs;\n\npublic class App {\n    public static void main(String[] args) {\n        Pulumi.run(App::stack);\n    }\n\n    public static void stack(Context ctx) {\n        var crawlers = new ProxyOrder("crawlers", ProxyOrderArgs.builder()\n            .proxyType(ProxyType.Isp)\n            .country("USA")\n            .quantity(5)\n            .rentPeriodDays(30)\n            .goal("search monitoring")\n            .maxPrice(20.0)\n            .build());\n\n        ctx.export("paidUntil", crawlers.expiresAt());\n        ctx.export("urls", crawlers.urls());\n    }\n}\n',
      yaml: "resources:\n  crawlers:\n    type: proxyrental:ProxyOrder\n    properties:\n      proxyType: ISP\n      country: USA\n      quantity: 5\n      rentPeriodDays: 30\n      goal: search monitoring\n      maxPrice: 20\noutputs:\n  paidUntil: ${crawlers.expiresAt}\n  urls: ${crawlers.urls}\n",
    },
  },
  getBalance: {
    title: "What the account can spend",
    programs: {
      typescript:
        'import * as pulumi from "@pulumi/pulumi";\nimport * as proxyrental from "@pulumi-proxyrental/proxyrental";\n\nconst account = proxyrental.getBalance({});\nexport const balance = account.then(account => account.balance);\n',
      python:
        'import pulumi\nimport pulumi_proxyrental as proxyrental\n\naccount = proxyrental.get_balance()\npulumi.export("balance", account.balance)\n',
      go: 'package main\n\nimport (\n\t"github.com/pulumi-proxyrental/pulumi-proxyrental/sdk/go/proxyrental"\n\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"\n)\n\nfunc main() {\n\tpulumi.Run(func(ctx *pulumi.Context) error {\n\t\taccount, err := proxyrental.GetBalance(ctx)\n\t\tif err != nil {\n\t\t\treturn err\n\t\t}\n\t\tctx.Export("balance", pulumi.Any(account.Balance))\n\t\treturn nil\n\t})\n}\n',
      csharp:
        'using System.Collections.Generic;\nusing System.Linq;\nusing Pulumi;\nusing Proxyrental = ProxyRentalService.Proxyrental;\n\nreturn await Deployment.RunAsync(() => \n{\n    var account = Proxyrental.GetBalance.Invoke();\n\n    return new Dictionary<string, object?>\n    {\n        ["balance"] = account.Apply(getBalanceResult => getBalanceResult.Balance),\n    };\n});\n',
      java: 'package app;\n\nimport com.pulumi.Context;\nimport com.pulumi.Pulumi;\nimport io.github.pulumi_proxyrental.proxyrental.ProxyrentalFunctions;\n\npublic class App {\n    public static void main(String[] args) {\n        Pulumi.run(App::stack);\n    }\n\n    public static void stack(Context ctx) {\n        final var account = ProxyrentalFunctions.getBalance();\n\n        ctx.export("balance", account.applyValue(result -> result.balance()));\n    }\n}\n',
      yaml: "variables:\n  account:\n    fn::invoke:\n      function: proxyrental:getBalance\noutputs:\n  balance: ${account.balance}\n",
    },
  },
  getCountries: {
    title: "Where ISP proxies are on offer",
    programs: {
      typescript:
        'import * as pulumi from "@pulumi/pulumi";\nimport * as proxyrental from "@pulumi-proxyrental/proxyrental";\n\nconst offer = proxyrental.getCountries({\n    proxyType: proxyrental.ProxyType.Isp,\n});\nexport const countries = offer.then(offer => offer.countries);\n',
      python:
        'import pulumi\nimport pulumi_proxyrental as proxyrental\n\noffer = proxyrental.get_countries(proxy_type=proxyrental.ProxyType.ISP)\npulumi.export("countries", offer.countries)\n',
      go: 'package main\n\nimport (\n\t"github.com/pulumi-proxyrental/pulumi-proxyrental/sdk/go/proxyrental"\n\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"\n)\n\nfunc main() {\n\tpulumi.Run(func(ctx *pulumi.Context) error {\n\t\toffer, err := proxyrental.GetCountries(ctx, &proxyrental.GetCountriesArgs{\n\t\t\tProxyType: proxyrental.ProxyTypeIsp,\n\t\t}, nil)\n\t\tif err != nil {\n\t\t\treturn err\n\t\t}\n\t\tctx.Export("countries", pulumi.Any(offer.Countries))\n\t\treturn nil\n\t})\n}\n',
      csharp:
        'using System.Collections.Generic;\nusing System.Linq;\nusing Pulumi;\nusing Proxyrental = ProxyRentalService.Proxyrental;\n\nreturn await Deployment.RunAsync(() => \n{\n    var offer = Proxyrental.GetCountries.Invoke(new()\n    {\n        ProxyType = Proxyrental.ProxyType.Isp,\n    });\n\n    return new Dictionary<string, object?>\n    {\n        ["countries"] = offer.Apply(getCountriesResult => getCountriesResult.Countries),\n    };\n});\n',
      java: 'package app;\n\nimport com.pulumi.Context;\nimport com.pulumi.Pulumi;\nimport io.github.pulumi_proxyrental.proxyrental.enums.ProxyType;\nimport io.github.pulumi_proxyrental.proxyrental.ProxyrentalFunctions;\nimport io.github.pulumi_proxyrental.proxyrental.inputs.GetCountriesArgs;\n\npublic class App {\n    public static void main(String[] args) {\n        Pulumi.run(App::stack);\n    }\n\n    public static void stack(Context ctx) {\n        final var offer = ProxyrentalFunctions.getCountries(GetCountriesArgs.builder()\n            .proxyType(ProxyType.Isp)\n            .build());\n\n        ctx.export("countries", offer.applyValue(result -> result.countries()));\n    }\n}\n',
      yaml: "variables:\n  offer:\n    fn::invoke:\n      function: proxyrental:getCountries\n      arguments:\n        proxyType: ISP\noutputs:\n  countries: ${offer.countries}\n",
    },
  },
  getExtensionQuote: {
    title: "The price of another 30 days, without paying",
    programs: {
      typescript:
        'import * as pulumi from "@pulumi/pulumi";\nimport * as proxyrental from "@pulumi-proxyrental/proxyrental";\n\nconst offer = proxyrental.getExtensionQuote({\n    proxyType: proxyrental.ProxyType.Ipv4,\n    ipAddressIds: [\n        "1001",\n        "1002",\n    ],\n    rentPeriodDays: 30,\n});\nexport const price = offer.then(offer => offer.price);\n',
      python:
        'import pulumi\nimport pulumi_proxyrental as proxyrental\n\noffer = proxyrental.get_extension_quote(proxy_type=proxyrental.ProxyType.IPV4,\n    ip_address_ids=[\n        "1001",\n        "1002",\n    ],\n    rent_period_days=30)\npulumi.export("price", offer.price)\n',
      go: 'package main\n\nimport (\n\t"github.com/pulumi-proxyrental/pulumi-proxyrental/sdk/go/proxyrental"\n\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"\n)\n\nfunc main() {\n\tpulumi.Run(func(ctx *pulumi.Context) error {\n\t\toffer, err := proxyrental.GetExtensionQuote(ctx, &proxyrental.GetExtensionQuoteArgs{\n\t\t\tProxyType: proxyrental.ProxyTypeIpv4,\n\t\t\tIpAddressIds: []string{\n\t\t\t\t"1001",\n\t\t\t\t"1002",\n\t\t\t},\n\t\t\tRentPeriodDays: 30,\n\t\t}, nil)\n\t\tif err != nil {\n\t\t\treturn err\n\t\t}\n\t\tctx.Export("price", pulumi.Any(offer.Price))\n\t\treturn nil\n\t})\n}\n',
      csharp:
        'using System.Collections.Generic;\nusing System.Linq;\nusing Pulumi;\nusing Proxyrental = ProxyRentalService.Proxyrental;\n\nreturn await Deployment.RunAsync(() => \n{\n    var offer = Proxyrental.GetExtensionQuote.Invoke(new()\n    {\n        ProxyType = Proxyrental.ProxyType.Ipv4,\n        IpAddressIds = new[]\n        {\n            "1001",\n            "1002",\n        },\n        RentPeriodDays = 30,\n    });\n\n    return new Dictionary<string, object?>\n    {\n        ["price"] = offer.Apply(getExtensionQuoteResult => getExtensionQuoteResult.Price),\n    };\n});\n',
      java: 'package app;\n\nimport com.pulumi.Context;\nimport com.pulumi.Pulumi;\nimport io.github.pulumi_proxyrental.proxyrental.enums.ProxyType;\nimport io.github.pulumi_proxyrental.proxyrental.ProxyrentalFunctions;\nimport io.github.pulumi_proxyrental.proxyrental.inputs.GetExtensionQuoteArgs;\n\npublic class App {\n    public static void main(String[] args) {\n        Pulumi.run(App::stack);\n    }\n\n    public static void stack(Context ctx) {\n        final var offer = ProxyrentalFunctions.getExtensionQuote(GetExtensionQuoteArgs.builder()\n            .proxyType(ProxyType.Ipv4)\n            .ipAddressIds(            \n                "1001",\n                "1002")\n            .rentPeriodDays(30)\n            .build());\n\n        ctx.export("price", offer.applyValue(result -> result.price()));\n    }\n}\n',
      yaml: 'variables:\n  offer:\n    fn::invoke:\n      function: proxyrental:getExtensionQuote\n      arguments:\n        proxyType: IPv4\n        ipAddressIds: ["1001", "1002"]\n        rentPeriodDays: 30\noutputs:\n  price: ${offer.price}\n',
    },
  },
  getMobileOperators: {
    title: "The operators of mobile proxies, by country",
    programs: {
      typescript:
        'import * as pulumi from "@pulumi/pulumi";\nimport * as proxyrental from "@pulumi-proxyrental/proxyrental";\n\nconst offer = proxyrental.getMobileOperators({});\nexport const mobileOperators = offer.then(offer => offer.mobileOperators);\n',
      python:
        'import pulumi\nimport pulumi_proxyrental as proxyrental\n\noffer = proxyrental.get_mobile_operators()\npulumi.export("mobileOperators", offer.mobile_operators)\n',
      go: 'package main\n\nimport (\n\t"github.com/pulumi-proxyrental/pulumi-proxyrental/sdk/go/proxyrental"\n\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"\n)\n\nfunc main() {\n\tpulumi.Run(func(ctx *pulumi.Context) error {\n\t\toffer, err := proxyrental.GetMobileOperators(ctx)\n\t\tif err != nil {\n\t\t\treturn err\n\t\t}\n\t\tctx.Export("mobileOperators", pulumi.Any(offer.MobileOperators))\n\t\treturn nil\n\t})\n}\n',
      csharp:
        'using System.Collections.Generic;\nusing System.Linq;\nusing Pulumi;\nusing Proxyrental = ProxyRentalService.Proxyrental;\n\nreturn await Deployment.RunAsync(() => \n{\n    var offer = Proxyrental.GetMobileOperators.Invoke();\n\n    return new Dictionary<string, object?>\n    {\n        ["mobileOperators"] = offer.Apply(getMobileOperatorsResult => getMobileOperatorsResult.MobileOperators),\n    };\n});\n',
      java: 'package app;\n\nimport com.pulumi.Context;\nimport com.pulumi.Pulumi;\nimport io.github.pulumi_proxyrental.proxyrental.ProxyrentalFunctions;\n\npublic class App {\n    public static void main(String[] args) {\n        Pulumi.run(App::stack);\n    }\n\n    public static void stack(Context ctx) {\n        final var offer = ProxyrentalFunctions.getMobileOperators();\n\n        ctx.export("mobileOperators", offer.applyValue(result -> result.mobileOperators()));\n    }\n}\n',
      yaml: "variables:\n  offer:\n    fn::invoke:\n      function: proxyrental:getMobileOperators\noutputs:\n  mobileOperators: ${offer.mobileOperators}\n",
    },
  },
  getOrderQuote: {
    title: "The price of an order, without ordering",
    programs: {
      typescript:
        'import * as pulumi from "@pulumi/pulumi";\nimport * as proxyrental from "@pulumi-proxyrental/proxyrental";\n\nconst offer = proxyrental.getOrderQuote({\n    proxyType: proxyrental.ProxyType.Isp,\n    country: "USA",\n    quantity: 5,\n    rentPeriodDays: 30,\n    goal: "search monitoring",\n});\nexport const price = offer.then(offer => offer.price);\n',
      python:
        'import pulumi\nimport pulumi_proxyrental as proxyrental\n\noffer = proxyrental.get_order_quote(proxy_type=proxyrental.ProxyType.ISP,\n    country="USA",\n    quantity=5,\n    rent_period_days=30,\n    goal="search monitoring")\npulumi.export("price", offer.price)\n',
      go: 'package main\n\nimport (\n\t"github.com/pulumi-proxyrental/pulumi-proxyrental/sdk/go/proxyrental"\n\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"\n)\n\nfunc main() {\n\tpulumi.Run(func(ctx *pulumi.Context) error {\n\t\toffer, err := proxyrental.GetOrderQuote(ctx, &proxyrental.GetOrderQuoteArgs{\n\t\t\tProxyType:      proxyrental.ProxyTypeIsp,\n\t\t\tCountry:        "USA",\n\t\t\tQuantity:       5,\n\t\t\tRentPeriodDays: 30,\n\t\t\tGoal:           "search monitoring",\n\t\t}, nil)\n\t\tif err != nil {\n\t\t\treturn err\n\t\t}\n\t\tctx.Export("price", pulumi.Any(offer.Price))\n\t\treturn nil\n\t})\n}\n',
      csharp:
        'using System.Collections.Generic;\nusing System.Linq;\nusing Pulumi;\nusing Proxyrental = ProxyRentalService.Proxyrental;\n\nreturn await Deployment.RunAsync(() => \n{\n    var offer = Proxyrental.GetOrderQuote.Invoke(new()\n    {\n        ProxyType = Proxyrental.ProxyType.Isp,\n        Country = "USA",\n        Quantity = 5,\n        RentPeriodDays = 30,\n        Goal = "search monitoring",\n    });\n\n    return new Dictionary<string, object?>\n    {\n        ["price"] = offer.Apply(getOrderQuoteResult => getOrderQuoteResult.Price),\n    };\n});\n',
      java: 'package app;\n\nimport com.pulumi.Context;\nimport com.pulumi.Pulumi;\nimport io.github.pulumi_proxyrental.proxyrental.enums.ProxyType;\nimport io.github.pulumi_proxyrental.proxyrental.ProxyrentalFunctions;\nimport io.github.pulumi_proxyrental.proxyrental.inputs.GetOrderQuoteArgs;\n\npublic class App {\n    public static void main(String[] args) {\n        Pulumi.run(App::stack);\n    }\n\n    public static void stack(Context ctx) {\n        final var offer = ProxyrentalFunctions.getOrderQuote(GetOrderQuoteArgs.builder()\n            .proxyType(ProxyType.Isp)\n            .country("USA")\n            .quantity(5)\n            .rentPeriodDays(30)\n            .goal("search monitoring")\n            .build());\n\n        ctx.export("price", offer.applyValue(result -> result.price()));\n    }\n}\n',
      yaml: "variables:\n  offer:\n    fn::invoke:\n      function: proxyrental:getOrderQuote\n      arguments:\n        proxyType: ISP\n        country: USA\n        quantity: 5\n        rentPeriodDays: 30\n        goal: search monitoring\noutputs:\n  price: ${offer.price}\n",
    },
  },
  getPromoCodes: {
    title: "The promo codes of the account",
    programs: {
      typescript:
        'import * as pulumi from "@pulumi/pulumi";\nimport * as proxyrental from "@pulumi-proxyrental/proxyrental";\n\nconst account = proxyrental.getPromoCodes({});\nexport const promoCodes = account.then(account => account.promoCodes);\n',
      python:
        'import pulumi\nimport pulumi_proxyrental as proxyrental\n\naccount = proxyrental.get_promo_codes()\npulumi.export("promoCodes", account.promo_codes)\n',
      go: 'package main\n\nimport (\n\t"github.com/pulumi-proxyrental/pulumi-proxyrental/sdk/go/proxyrental"\n\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"\n)\n\nfunc main() {\n\tpulumi.Run(func(ctx *pulumi.Context) error {\n\t\taccount, err := proxyrental.GetPromoCodes(ctx)\n\t\tif err != nil {\n\t\t\treturn err\n\t\t}\n\t\tctx.Export("promoCodes", pulumi.Any(account.PromoCodes))\n\t\treturn nil\n\t})\n}\n',
      csharp:
        'using System.Collections.Generic;\nusing System.Linq;\nusing Pulumi;\nusing Proxyrental = ProxyRentalService.Proxyrental;\n\nreturn await Deployment.RunAsync(() => \n{\n    var account = Proxyrental.GetPromoCodes.Invoke();\n\n    return new Dictionary<string, object?>\n    {\n        ["promoCodes"] = account.Apply(getPromoCodesResult => getPromoCodesResult.PromoCodes),\n    };\n});\n',
      java: 'package app;\n\nimport com.pulumi.Context;\nimport com.pulumi.Pulumi;\nimport io.github.pulumi_proxyrental.proxyrental.ProxyrentalFunctions;\n\npublic class App {\n    public static void main(String[] args) {\n        Pulumi.run(App::stack);\n    }\n\n    public static void stack(Context ctx) {\n        final var account = ProxyrentalFunctions.getPromoCodes();\n\n        ctx.export("promoCodes", account.applyValue(result -> result.promoCodes()));\n    }\n}\n',
      yaml: "variables:\n  account:\n    fn::invoke:\n      function: proxyrental:getPromoCodes\noutputs:\n  promoCodes: ${account.promoCodes}\n",
    },
  },
  getProxies: {
    title: "What the account holds in one country",
    programs: {
      typescript:
        'import * as pulumi from "@pulumi/pulumi";\nimport * as proxyrental from "@pulumi-proxyrental/proxyrental";\n\nconst held = proxyrental.getProxies({\n    proxyType: proxyrental.ProxyType.Ipv4,\n    country: "USA",\n});\nexport const proxies = held.then(held => held.proxies);\n',
      python:
        'import pulumi\nimport pulumi_proxyrental as proxyrental\n\nheld = proxyrental.get_proxies(proxy_type=proxyrental.ProxyType.IPV4,\n    country="USA")\npulumi.export("proxies", held.proxies)\n',
      go: 'package main\n\nimport (\n\t"github.com/pulumi-proxyrental/pulumi-proxyrental/sdk/go/proxyrental"\n\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"\n)\n\nfunc main() {\n\tpulumi.Run(func(ctx *pulumi.Context) error {\n\t\theld, err := proxyrental.GetProxies(ctx, &proxyrental.GetProxiesArgs{\n\t\t\tProxyType: proxyrental.ProxyTypeIpv4,\n\t\t\tCountry:   pulumi.StringRef("USA"),\n\t\t}, nil)\n\t\tif err != nil {\n\t\t\treturn err\n\t\t}\n\t\tctx.Export("proxies", pulumi.Any(held.Proxies))\n\t\treturn nil\n\t})\n}\n',
      csharp:
        'using System.Collections.Generic;\nusing System.Linq;\nusing Pulumi;\nusing Proxyrental = ProxyRentalService.Proxyrental;\n\nreturn await Deployment.RunAsync(() => \n{\n    var held = Proxyrental.GetProxies.Invoke(new()\n    {\n        ProxyType = Proxyrental.ProxyType.Ipv4,\n        Country = "USA",\n    });\n\n    return new Dictionary<string, object?>\n    {\n        ["proxies"] = held.Apply(getProxiesResult => getProxiesResult.Proxies),\n    };\n});\n',
      java: 'package app;\n\nimport com.pulumi.Context;\nimport com.pulumi.Pulumi;\nimport io.github.pulumi_proxyrental.proxyrental.enums.ProxyType;\nimport io.github.pulumi_proxyrental.proxyrental.ProxyrentalFunctions;\nimport io.github.pulumi_proxyrental.proxyrental.inputs.GetProxiesArgs;\n\npublic class App {\n    public static void main(String[] args) {\n        Pulumi.run(App::stack);\n    }\n\n    public static void stack(Context ctx) {\n        final var held = ProxyrentalFunctions.getProxies(GetProxiesArgs.builder()\n            .proxyType(ProxyType.Ipv4)\n            .country("USA")\n            .build());\n\n        ctx.export("proxies", held.applyValue(result -> result.proxies()));\n    }\n}\n',
      yaml: "variables:\n  held:\n    fn::invoke:\n      function: proxyrental:getProxies\n      arguments:\n        proxyType: IPv4\n        country: USA\noutputs:\n  proxies: ${held.proxies}\n",
    },
  },
  getProxyTypes: {
    title: "The kinds of proxies on offer",
    programs: {
      typescript:
        'import * as pulumi from "@pulumi/pulumi";\nimport * as proxyrental from "@pulumi-proxyrental/proxyrental";\n\nconst offer = proxyrental.getProxyTypes({});\nexport const proxyTypes = offer.then(offer => offer.proxyTypes);\n',
      python:
        'import pulumi\nimport pulumi_proxyrental as proxyrental\n\noffer = proxyrental.get_proxy_types()\npulumi.export("proxyTypes", offer.proxy_types)\n',
      go: 'package main\n\nimport (\n\t"github.com/pulumi-proxyrental/pulumi-proxyrental/sdk/go/proxyrental"\n\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"\n)\n\nfunc main() {\n\tpulumi.Run(func(ctx *pulumi.Context) error {\n\t\toffer, err := proxyrental.GetProxyTypes(ctx)\n\t\tif err != nil {\n\t\t\treturn err\n\t\t}\n\t\tctx.Export("proxyTypes", pulumi.Any(offer.ProxyTypes))\n\t\treturn nil\n\t})\n}\n',
      csharp:
        'using System.Collections.Generic;\nusing System.Linq;\nusing Pulumi;\nusing Proxyrental = ProxyRentalService.Proxyrental;\n\nreturn await Deployment.RunAsync(() => \n{\n    var offer = Proxyrental.GetProxyTypes.Invoke();\n\n    return new Dictionary<string, object?>\n    {\n        ["proxyTypes"] = offer.Apply(getProxyTypesResult => getProxyTypesResult.ProxyTypes),\n    };\n});\n',
      java: 'package app;\n\nimport com.pulumi.Context;\nimport com.pulumi.Pulumi;\nimport io.github.pulumi_proxyrental.proxyrental.ProxyrentalFunctions;\n\npublic class App {\n    public static void main(String[] args) {\n        Pulumi.run(App::stack);\n    }\n\n    public static void stack(Context ctx) {\n        final var offer = ProxyrentalFunctions.getProxyTypes();\n\n        ctx.export("proxyTypes", offer.applyValue(result -> result.proxyTypes()));\n    }\n}\n',
      yaml: "variables:\n  offer:\n    fn::invoke:\n      function: proxyrental:getProxyTypes\noutputs:\n  proxyTypes: ${offer.proxyTypes}\n",
    },
  },
  getRentPeriods: {
    title: "For how long ISP proxies can be rented",
    programs: {
      typescript:
        'import * as pulumi from "@pulumi/pulumi";\nimport * as proxyrental from "@pulumi-proxyrental/proxyrental";\n\nconst offer = proxyrental.getRentPeriods({\n    proxyType: proxyrental.ProxyType.Isp,\n});\nexport const rentPeriodDays = offer.then(offer => offer.rentPeriodDays);\n',
      python:
        'import pulumi\nimport pulumi_proxyrental as proxyrental\n\noffer = proxyrental.get_rent_periods(proxy_type=proxyrental.ProxyType.ISP)\npulumi.export("rentPeriodDays", offer.rent_period_days)\n',
      go: 'package main\n\nimport (\n\t"github.com/pulumi-proxyrental/pulumi-proxyrental/sdk/go/proxyrental"\n\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"\n)\n\nfunc main() {\n\tpulumi.Run(func(ctx *pulumi.Context) error {\n\t\toffer, err := proxyrental.GetRentPeriods(ctx, &proxyrental.GetRentPeriodsArgs{\n\t\t\tProxyType: proxyrental.ProxyTypeIsp,\n\t\t}, nil)\n\t\tif err != nil {\n\t\t\treturn err\n\t\t}\n\t\tctx.Export("rentPeriodDays", pulumi.Any(offer.RentPeriodDays))\n\t\treturn nil\n\t})\n}\n',
      csharp:
        'using System.Collections.Generic;\nusing System.Linq;\nusing Pulumi;\nusing Proxyrental = ProxyRentalService.Proxyrental;\n\nreturn await Deployment.RunAsync(() => \n{\n    var offer = Proxyrental.GetRentPeriods.Invoke(new()\n    {\n        ProxyType = Proxyrental.ProxyType.Isp,\n    });\n\n    return new Dictionary<string, object?>\n    {\n        ["rentPeriodDays"] = offer.Apply(getRentPeriodsResult => getRentPeriodsResult.RentPeriodDays),\n    };\n});\n',
      java: 'package app;\n\nimport com.pulumi.Context;\nimport com.pulumi.Pulumi;\nimport io.github.pulumi_proxyrental.proxyrental.enums.ProxyType;\nimport io.github.pulumi_proxyrental.proxyrental.ProxyrentalFunctions;\nimport io.github.pulumi_proxyrental.proxyrental.inputs.GetRentPeriodsArgs;\n\npublic class App {\n    public static void main(String[] args) {\n        Pulumi.run(App::stack);\n    }\n\n    public static void stack(Context ctx) {\n        final var offer = ProxyrentalFunctions.getRentPeriods(GetRentPeriodsArgs.builder()\n            .proxyType(ProxyType.Isp)\n            .build());\n\n        ctx.export("rentPeriodDays", offer.applyValue(result -> result.rentPeriodDays()));\n    }\n}\n',
      yaml: "variables:\n  offer:\n    fn::invoke:\n      function: proxyrental:getRentPeriods\n      arguments:\n        proxyType: ISP\noutputs:\n  rentPeriodDays: ${offer.rentPeriodDays}\n",
    },
  },
};
