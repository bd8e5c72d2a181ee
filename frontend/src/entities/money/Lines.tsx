import type { ReactNode } from 'react';
import classes from './Lines.module.css';

/** Several lines in one cell: each as high as those of the cells beside it, so that they read across. */
export function Lines({ lines }: { lines: readonly { key: string; value: ReactNode }[] }) {
  if (lines.length === 0) return <>–</>;
  return (
    <span className={classes.lines}>
      {lines.map(({ key, value }) => (
        <span key={key} className={classes.line}>
          {value}
        </span>
      ))}
    </span>
  );
}
