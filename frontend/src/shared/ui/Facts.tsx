import type { ReactNode } from 'react';
import classes from './Facts.module.css';

export interface Fact {
  /** React key; needed where labels repeat. */
  key?: string;
  label: string;
  value: ReactNode;
  /** Emphasises the main figure. */
  strong?: boolean;
}

/** Labelled values in rows; right-aligned if `figures`. */
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
