import { useMediaQuery } from '@mantine/hooks';
import { IconReportAnalytics } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useLocation } from 'react-router';
import { downloadList, useProfile } from '~/api';
import { Totals } from '~/entities/money/Totals';
import { formatCount } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { PHONE } from '~/shared/ui/breakpoints';
import { ChartPanel } from '~/shared/ui/charts/ChartPanel';
import { Facts } from '~/shared/ui/Facts';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { useListState } from '~/shared/ui/table/useListState';
import { cell, detailFacts, tableColumns } from './cells';
import type { ReportDefinition, ReportRow } from './definition';
import { REPORTS } from './definitions';
import { FILTERS, Filter, namesOf } from './filters';
import classes from './Reports.module.css';

/** The server's maximum page size. */
const CHARTED_ROWS = 100;

/** Rows have no id: all values together identify one. */
const rowId = (row: ReportRow) => JSON.stringify(row);

/** Screen of a report, from its definition: filters, totals, chart, table, and files. */
function Report({ report }: { report: ReportDefinition }) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone: zone } = useProfile();
  const phone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const defaults = useMemo(() => ({ sort: report.sort }), [report]);
  const list = useListState(FILTERS, defaults);
  const asked = useMemo(() => {
    const names: readonly string[] = ['query', ...namesOf([...report.filters, ...report.more])];
    return Object.fromEntries(Object.entries(list.filters).filter(([name]) => names.includes(name)));
  }, [report, list.filters]);
  const query = report.useReport({
    ...asked,
    currentPage: list.page,
    recordsPerPage: list.size,
    sort: list.sort,
  });
  const reader = useMemo(() => ({ t, locale, zone }), [t, locale, zone]);
  const columns = useMemo(() => tableColumns(reader, report.columns), [reader, report]);
  const totals = report.columns.filter(({ total }) => total);
  // The chart shows the whole report, not the page; with more rows it would be unreadable.
  const whole = query.data !== undefined && query.data.totalPages <= 1;
  const charted = report.useReport(
    { ...asked, currentPage: 1, recordsPerPage: CHARTED_ROWS, sort: report.sort },
    { skip: !report.chart || whole || (query.data?.totalRecords ?? 0) > CHARTED_ROWS },
  );
  const rows = whole ? query.data : query.data && charted.data;
  const chart = rows && report.chart?.(t, rows.data);
  const title = t(report.title);
  const left = report.columns.some(({ inDetail, card }) => inDetail || (phone && card === 'hidden'));
  return (
    <ListScreen
      name={report.path}
      title={title}
      list={list}
      query={query}
      columns={columns}
      searchLabel={t('reports:search')}
      active={Object.keys(asked).length}
      filters={report.filters.map((filter) => <Filter key={filter} filter={filter} list={list} />)}
      more={report.more.map((filter) => <Filter key={filter} filter={filter} list={list} />)}
      moreActive={namesOf(report.more).filter((name) => list.filters[name]).length}
      summary={
        <>
          {chart && (
            <ChartPanel
              title={t('reports:chart')}
              bars={{ ...chart, summary: t('reports:chartOf', { title, count: chart.bars.length }) }}
            />
          )}
          {totals.length > 0 && (
            <Totals
              columns={[
                { key: 'records', label: t('reports:columns.records') },
                ...totals.map(({ key, header }) => ({ key, label: t(header) })),
              ]}
              rows={(query.data?.totals ?? []).map((total) => ({
                currency: String(total.currency),
                cells: [
                  formatCount(Number(total.records), locale),
                  ...totals.map((column) => cell(reader, column, total)),
                ],
              }))}
            />
          )}
        </>
      }
      onExport={(format) => downloadList(report.api, { ...asked, sort: list.sort }, format)}
      rowId={rowId}
      rowName={(row) => String(row[report.columns[0]?.key ?? ''] ?? '')}
      detail={
        left
          ? (row) => (
              <div className={classes.detail}>
                <Facts facts={detailFacts(reader, report.columns, row, phone)} />
              </div>
            )
          : undefined
      }
      empty={{ icon: IconReportAnalytics, title: t('reports:none') }}
    />
  );
}

/** The report of the address. */
export default function ReportPage() {
  const { pathname } = useLocation();
  const here = pathname.replace(/\/$/, '');
  const report = Object.values(REPORTS).find(({ path }) => path.replace(/\/$/, '') === here);
  return report ? <Report key={report.path} report={report} /> : null;
}
