import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { StreamKind } from '~/api';
import { accountPath, recordPath } from '~/entities/ledger/audit';
import classes from './Audit.module.css';
import { ACCOUNT } from './inWords';

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What sort of record a field names. */
const NAMED: Record<string, StreamKind> = {
  ...named('customer', 'sender', 'recipient', 'customer'),
  ...named('payment_group', 'group', 'previousGroup'),
  ...named('party', 'agency', 'agent', 'seller', 'dealer', 'previousDealer', 'deliveryMan', 'deliveredBy'),
  ...named('party', 'party', 'owner', 'by', 'to', 'from', 'debtor', 'creditor'),
};

function named(kind: StreamKind, ...fields: string[]): Record<string, StreamKind> {
  return Object.fromEntries(fields.map((field) => [field, kind]));
}

/** The sort of record that a path's last field names. */
export function recordKindOf(path: string): StreamKind | undefined {
  const field =
    path
      .replace(/\[\d+\]$/, '')
      .split('.')
      .at(-1) ?? '';
  return NAMED[field];
}

/** What ids are called now, as the server said with them. */
export type Names = Readonly<Record<string, string>>;

/** A value of the log: what names a record or an account leads there, by its name where that is known. */
export function Said({ path, value, names }: { path: string; value: string; names: Names }) {
  if (ACCOUNT.test(value)) {
    return (
      <Anchor component={Link} to={accountPath(value)} fz="inherit" c="inherit" underline="always">
        {value}
      </Anchor>
    );
  }
  const kind = ID.test(value) ? recordKindOf(path) : undefined;
  const name = names[value];
  return (
    <>
      {kind ? (
        <Anchor component={Link} to={recordPath(kind, value)} fz="inherit" c="inherit" underline="always">
          {name ?? value}
        </Anchor>
      ) : (
        (name ?? value)
      )}
      {name && <span className={classes.id}>{value}</span>}
    </>
  );
}

/** A path that breaks between its fields. */
export function Path({ path }: { path: string }) {
  return path.split('.').map((field, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a path's fields have an order and never change
    <span key={index}>
      {index > 0 && (
        <>
          .<wbr />
        </>
      )}
      {field}
    </span>
  ));
}
