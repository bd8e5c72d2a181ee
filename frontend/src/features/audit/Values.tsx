import { Text } from '@mantine/core';
import { useTexts } from '~/shared/lib/texts';
import classes from './Audit.module.css';
import { Path, Said, useNames } from './Said';
import { type Change, linesIn } from './values';

/** What a record or an event says, line by line. */
export function Content({ value, label, none }: { value: unknown; label: string; none: string }) {
  const t = useTexts();
  const names = useNames();
  const lines = linesIn(value);
  if (lines.length === 0) return <Text c="dimmed">{none}</Text>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={classes.scroll} aria-label={label} tabIndex={0}>
      <table className={classes.values}>
        <thead>
          <tr>
            <th scope="col">{t('audit:values.field')}</th>
            <th scope="col">{t('audit:values.value')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ path, value: said }) => (
            <tr key={path}>
              <th scope="row">
                <Path path={path} />
              </th>
              <td>
                <Said path={path} value={said} names={names} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What an event changed: each field before and after. */
export function Changes({ changes, label }: { changes: Change[]; label: string }) {
  const t = useTexts();
  const names = useNames();
  if (changes.length === 0) return <Text c="dimmed">{t('audit:values.unchanged')}</Text>;
  const nothing = <span className={classes.nothing}>{t('audit:values.nothing')}</span>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={classes.scroll} aria-label={label} tabIndex={0}>
      <table className={classes.values} data-changes>
        <thead>
          <tr>
            <th scope="col">{t('audit:values.field')}</th>
            <th scope="col">{t('audit:values.before')}</th>
            <th scope="col">{t('audit:values.after')}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ path, before, after }) => (
            <tr key={path}>
              <th scope="row">
                <Path path={path} />
              </th>
              <td data-was>
                {before === null ? (
                  nothing
                ) : (
                  <del>
                    <Said path={path} value={before} names={names} />
                  </del>
                )}
              </td>
              <td data-is>
                {after === null ? (
                  nothing
                ) : (
                  <ins>
                    <Said path={path} value={after} names={names} />
                  </ins>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
