import { Code, Text } from '@mantine/core';
import { useTexts } from '~/shared/lib/texts';
import classes from './Audit.module.css';
import { type Names, Path, Said } from './Said';
import { linesIn } from './values';

interface RawProps {
  value: unknown;
  names: Names;
  label: string;
  none: string;
}

/** What the log says as it stands there: every path with its value, and the JSON. */
export function Raw({ value, names, label, none }: RawProps) {
  const t = useTexts();
  const lines = linesIn(value);
  if (lines.length === 0) return <Text c="dimmed">{none}</Text>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={classes.scroll} aria-label={label} tabIndex={0} data-raw>
      <table className={classes.values}>
        <thead>
          <tr>
            <th scope="col">{t('audit:values.path')}</th>
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
      <Code block mt="sm">
        {JSON.stringify(value, null, 2)}
      </Code>
    </section>
  );
}
