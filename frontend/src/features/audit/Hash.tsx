import { CopyValue } from '~/shared/ui/CopyValue';
import classes from './Audit.module.css';

/** So many digits tell hashes apart by eye. */
const SHORT = 12;

interface HashProps {
  hash: string;
  /** What it is the hash of, for the button that copies it. */
  label: string;
  short?: boolean;
}

/** A hash, whole or its beginning, with a button that copies all of it. */
export function Hash({ hash, label, short }: HashProps) {
  return (
    <CopyValue value={hash} label={label}>
      <code className={classes.hash} data-short={short || undefined} title={short ? hash : undefined}>
        {short ? `${hash.slice(0, SHORT)}…` : hash}
      </code>
    </CopyValue>
  );
}
