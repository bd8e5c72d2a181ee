import { REPORT_HOOKS, type ReportCalls } from '~/api/reportCalls';
import { REPORTS, type ReportName } from '~/api/reports';
import type { TextKey, Texts } from '~/shared/lib/texts';
import type { BarChartData } from '~/shared/ui/charts/data';
import type { Held } from '~/shared/ui/table/widths';

/** What stands in a column. */
export type ColumnKind =
  | 'text'
  | 'code'
  /** A card's number, masked for who pays nothing to it. */
  | 'card'
  | 'count'
  /** An amount in the row's currency… */
  | 'money'
  /** …or in USD. */
  | 'usd'
  | 'percent'
  | 'time'
  | 'currency'
  | 'status'
  /** A value of an enumeration, by its name in the API; `words` are its label. */
  | 'named';

export interface ReportColumn<Key extends string = string> {
  key: Key;
  header: TextKey;
  kind: ColumnKind;
  /** Where the cell stands on a phone's card; body when absent. */
  card?: 'title' | 'corner' | 'hidden';
  /** The text of a value of the kind `named`. */
  words?: (name: string) => string;
  /** What its texts are, where the kind does not say it. */
  holds?: Held;
  /** Only the open row shows it. */
  inDetail?: boolean;
  /** The server does not sort by it. */
  unsorted?: boolean;
  /** The server adds it up. */
  total?: boolean;
}

/** What a report can be narrowed by. */
export type ReportFilter =
  | 'period'
  | 'status'
  | 'fromStatus'
  | 'toStatus'
  | 'currency'
  | 'agencyId'
  | 'agentId'
  | 'dealerId'
  | 'deliveryManId'
  | 'place'
  | 'province'
  | 'deliveryMethod'
  /** Of the report of large sums. */
  | 'days'
  | 'side'
  | 'amountFrom'
  | 'remittancesFrom'
  /** Of the report of reviews. */
  | 'holdReason'
  | 'released';

/** A value of a report: amounts and times are texts. */
export type ReportValue = string | number | null;
export type ReportRow = Readonly<Record<string, ReportValue>>;

export interface ReportPageData {
  data: ReportRow[];
  totals: ReportRow[];
  totalPages: number;
  totalRecords: number;
}

/** How any report is asked for. */
export interface ReportQuery {
  currentPage: number;
  recordsPerPage: number;
  sort: string;
  [filter: string]: string | number | undefined;
}

/** What the hooks of the generated client answer, whichever report it is. */
export interface ReportAnswer {
  data?: ReportPageData;
  error?: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}

/** What a chart shows of the report's rows; null where there is nothing to compare, or too much. */
export type ReportChart = (t: Texts, rows: readonly ReportRow[]) => Omit<BarChartData, 'summary'> | null;

/** A report: the one page makes its screen of this. */
export interface ReportDefinition {
  /** Its address in the interface. */
  path: string;
  /** Its call. */
  api: string;
  title: TextKey;
  useReport: (query: ReportQuery, options?: { skip: boolean }) => ReportAnswer;
  columns: readonly ReportColumn[];
  /** Filters on the line, and behind the button. */
  filters: readonly ReportFilter[];
  more: readonly ReportFilter[];
  sort: string;
  chart?: ReportChart;
}

type RowOf<Page> = Page extends { data: (infer Row)[] } ? Row : never;
type SortOf<Arg> = NonNullable<Arg extends { sort?: infer Sort } ? Sort : never> & string;

interface Told<Name extends ReportName>
  extends Omit<ReportDefinition, 'path' | 'api' | 'title' | 'useReport' | 'columns' | 'sort'> {
  columns: readonly ReportColumn<keyof RowOf<ReportCalls[Name]['page']> & string>[];
  sort: SortOf<ReportCalls[Name]['arg']>;
}

/** Tells a report of the contract; its columns and order are held against what the server answers. */
export function defineReport<Name extends ReportName>(name: Name, told: Told<Name>): ReportDefinition {
  const { path, api, title } = REPORTS[name];
  // What varies from report to report is checked above; the page handles all alike.
  return { path, api, title, useReport: REPORT_HOOKS[name], ...told } as unknown as ReportDefinition;
}
