const tiers = ['read', 'write', 'execute or change something remote', 'spend'];

/** What an operation (`web_fetch.GET`) does, by its tier. To read from a host that nobody named is tier 1, too. */
export const tierWords = (operation: string, tier: number): string =>
  tier === 1 && /^\w+\.(?:GET|HEAD)\b/.test(operation)
    ? 'read from an unnamed host'
    : (tiers[tier] ?? 'unknown');
