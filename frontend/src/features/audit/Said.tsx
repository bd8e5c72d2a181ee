import { Anchor } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'react-router';
import {
  type StreamKind,
  useListMunicipalitiesQuery,
  useListPaymentGroupsQuery,
  useListProvincesQuery,
  useListUsersQuery,
} from '~/api';
import { accountPath, recordPath } from '~/entities/ledger/audit';
import classes from './Audit.module.css';

const EVERYTHING = { recordsPerPage: 0 };
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ACCOUNT = /^[a-z_]+(?:\/[0-9a-f-]{36}){0,2}\/[A-Z]{3}$/;

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

/** The sort of record that a path's last field names; none where it is no id of one. */
function kindOf(path: string, value: string): StreamKind | undefined {
  const field =
    path
      .replace(/\[\d+\]$/, '')
      .split('.')
      .at(-1) ?? '';
  return ID.test(value) ? NAMED[field] : undefined;
}

/** The names of those who have a login, of payment groups and of places, by their ids. */
export type Names = ReadonlyMap<string, string | null>;

/** The names that ids of the log may have. */
export function useNames(): Names {
  const { data: users } = useListUsersQuery(EVERYTHING);
  const { data: groups } = useListPaymentGroupsQuery(EVERYTHING);
  const { data: provinces } = useListProvincesQuery();
  const { data: municipalities } = useListMunicipalitiesQuery({});
  return useMemo(() => {
    const named = [users?.data, groups?.data, provinces?.results, municipalities?.results];
    return new Map(named.flatMap((rows) => (rows ?? []).map(({ id, name }) => [id, name] as const)));
  }, [users, groups, provinces, municipalities]);
}

/** A value of the log: what names a record or an account leads there, by its name where that is known. */
export function Said({ path, value, names }: { path: string; value: string; names: Names }) {
  if (ACCOUNT.test(value)) {
    return (
      <Anchor component={Link} to={accountPath(value)} fz="inherit" c="inherit" underline="always">
        {value}
      </Anchor>
    );
  }
  const kind = kindOf(path, value);
  const name = names.get(value);
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
