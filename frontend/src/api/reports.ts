/* Generated from openapi.json by scripts/lists.mjs: address, title and callers of each report. */
import * as may from './policy';
export const REPORTS = {
  addressee: { path: '/reports/addressee/', api: '/api/reports/addressee', title: 'common:menu.reportAddressee', roles: may.getAddresseeReport },
  agency: { path: '/reports/agency/', api: '/api/reports/agency', title: 'common:menu.reportAgency', roles: may.getAgencyReport },
  attorney: { path: '/reports/attorney/', api: '/api/reports/attorney', title: 'common:menu.reportAttorney', roles: may.getAttorneyReport },
  distributionAgency: { path: '/reports/distributionAgency/', api: '/api/reports/distribution_agency', title: 'common:menu.reportDistributionAgency', roles: may.getDistributionAgencyReport },
  distributor: { path: '/reports/distributor/', api: '/api/reports/distributor', title: 'common:menu.reportDistributor', roles: may.getDistributorReport },
  distributorShipping: { path: '/reports/distributorShipping/', api: '/api/reports/distributor_shipping', title: 'common:menu.reportDistributorShipping', roles: may.getDistributorShippingReport },
  history: { path: '/reports/history/', api: '/api/reports/history', title: 'common:menu.reportHistory', roles: may.getHistoryReport },
  holds: { path: '/reports/holds/', api: '/api/reports/holds', title: 'common:menu.reportHolds', roles: may.getHoldsReport },
  largeSums: { path: '/reports/largeSums/', api: '/api/reports/large_sums', title: 'common:menu.reportLargeSums', roles: may.getLargeSumsReport },
  pendingDistributor: { path: '/reports/pendingDistributor/', api: '/api/reports/pending_distributor', title: 'common:menu.reportPendingDistributor', roles: may.getPendingDistributorReport },
} as const;
export type ReportName = keyof typeof REPORTS;
