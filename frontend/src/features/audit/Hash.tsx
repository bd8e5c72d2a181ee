import { CopyValue } from '~/shared/ui/CopyValue';
import classes from './Audit.module.css';

/** Digits that suffice to distinguish hashes by eye. */
const SHORT = 12;

interface HashProps {
  hash: string;
  /** Subject of the hash, for the copy button's label. */
  label: string;
  short?: boolean;
}

/** A hash, complete or abbreviated, with a copy button. */
export function Hash({ hash, label, short }: HashProps) {
  return (
    <CopyValue value={hash} label={label}>
      <code className={classes.hash} data-short={short || undefined} title={short ? hash : undefined}>
        {short ? `${hash.slice(0, SHORT)}…` : hash}
      </code>
    </CopyValue>
  );
}
