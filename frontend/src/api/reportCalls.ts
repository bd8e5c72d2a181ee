/* Generated from openapi.json by scripts/lists.mjs: how each report is asked, and what it answers. */
import * as api from './generated';
export interface ReportCalls {
  addressee: { arg: api.GetAddresseeReportApiArg; page: api.AddresseeReport };
  agency: { arg: api.GetAgencyReportApiArg; page: api.AgencyReport };
  attorney: { arg: api.GetAttorneyReportApiArg; page: api.AttorneyReport };
  distributionAgency: { arg: api.GetDistributionAgencyReportApiArg; page: api.DistributionAgencyReport };
  distributor: { arg: api.GetDistributorReportApiArg; page: api.DistributorReport };
  distributorShipping: { arg: api.GetDistributorShippingReportApiArg; page: api.DistributorShippingReport };
  history: { arg: api.GetHistoryReportApiArg; page: api.HistoryReport };
  holds: { arg: api.GetHoldsReportApiArg; page: api.HoldsReport };
  largeSums: { arg: api.GetLargeSumsReportApiArg; page: api.LargeSumsReport };
  pendingDistributor: { arg: api.GetPendingDistributorReportApiArg; page: api.PendingDistributorReport };
}
export const REPORT_HOOKS = {
  addressee: api.useGetAddresseeReportQuery,
  agency: api.useGetAgencyReportQuery,
  attorney: api.useGetAttorneyReportQuery,
  distributionAgency: api.useGetDistributionAgencyReportQuery,
  distributor: api.useGetDistributorReportQuery,
  distributorShipping: api.useGetDistributorShippingReportQuery,
  history: api.useGetHistoryReportQuery,
  holds: api.useGetHoldsReportQuery,
  largeSums: api.useGetLargeSumsReportQuery,
  pendingDistributor: api.useGetPendingDistributorReportQuery,
} as const;
