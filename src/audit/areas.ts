export const auditAreas = ['orders', 'menu', 'stores', 'people', 'accounts', 'money', 'other'] as const;
export type AuditArea = (typeof auditAreas)[number];

export const auditAreaPatterns: Record<Exclude<AuditArea, 'other'>, string> = {
  money: '/refunds|/payments?|/pay$|/reports',
  orders: '/v1/(orders|prints)',
  menu: '/v1/(menus|categories|items|options|option-groups|menu-imports|uploads)',
  stores: '/v1/(stores|setup|printers|devices|restored)',
  people: '/v1/(staff|customers|complaints)',
  accounts: '/v1/(auth|sign-in-)',
};
