import { LISTS, type ListRemittancesApiArg } from '~/api';

/** The filters of the list as they stand in the address; the server's own names, so a link explains itself. */
export const FILTERS = LISTS.listRemittances.filters;
export type RemittanceFilter = (typeof FILTERS)[number];

/** Those behind the "filters" button. */
export const MORE_FILTERS: readonly RemittanceFilter[] = [
  'deliveryMethod',
  'agencyId',
  'agentId',
  'dealerId',
  'provinceId',
  'municipalityId',
];

type Filters = Omit<ListRemittancesApiArg, 'currentPage' | 'recordsPerPage' | 'sort'>;

/** The address's texts as the server's parameters. What is no state or method is sent as it is: the server says so. */
export function readFilters(filters: Partial<Record<RemittanceFilter, string>>): Filters {
  const { status, deliveryMethod, held, ...texts } = filters;
  return {
    ...texts,
    status: status === undefined ? undefined : (Number(status) as Filters['status']),
    deliveryMethod: deliveryMethod as Filters['deliveryMethod'],
    held: held === undefined ? undefined : held === 'true',
  };
}
