import type { ReactNode } from 'react';
import classes from './FigureTable.module.css';

export interface FigureRow {
  key: string;
  label: ReactNode;
  cells: ReactNode[];
  /** A result: what the rows above add up to. */
  strong?: boolean;
}

interface FigureTableProps {
  /** Names the table. */
  label: string;
  /** Above the rows' names. */
  corner?: string;
  columns: { key: string; label: ReactNode }[];
  rows: FigureRow[];
}

/** Figures by row and column, as a statement shows them. Wider than the page it scrolls, by keyboard too. */
export function FigureTable({ label, corner, columns, rows }: FigureTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={classes.scroll} aria-label={label} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            {corner === undefined ? <td /> : <th scope="col">{corner}</th>}
            {columns.map((column) => (
              <th key={column.key} scope="col" data-figure>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key} data-strong={row.strong || undefined}>
              <th scope="row">{row.label}</th>
              {row.cells.map((cell, index) => (
                <td key={columns[index]?.key}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
