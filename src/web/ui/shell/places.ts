/** The places of the navigation: address, name, icon and keys. */
export const places = [
  ['/', 'Home', 'home', 'g h'],
  ['/approvals', 'Approvals', 'ask', 'g a'],
  ['/runs', 'Runs', 'runs', 'g r'],
  ['/capsules', 'Capsules', 'caps', 'g c'],
  ['/cost', 'Cost', 'cost', 'g o'],
  ['/health', 'Health', 'health', 'g d'],
] as const;
