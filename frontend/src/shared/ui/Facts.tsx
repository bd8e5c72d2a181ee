import type { ReactNode } from 'react';
import classes from './Facts.module.css';

export interface Fact {
  /** Where labels repeat. */
  key?: string;
  label: string;
  value: ReactNode;
  /** Stands out: the figure that matters. */
  strong?: boolean;
}

/** Labelled values under each other, figures aligned to the right when `figures`. */
export function Facts({ facts, figures = false }: { facts: Fact[]; figures?: boolean }) {
  return (
    <dl className={classes.facts} data-figures={figures || undefined}>
      {facts.map((fact) => (
        <div key={fact.key ?? fact.label} className={classes.fact} data-strong={fact.strong || undefined}>
          <dt>{fact.label}</dt>
          <dd>{fact.value}</dd>
        </div>
      ))}
    </dl>
  );
}
