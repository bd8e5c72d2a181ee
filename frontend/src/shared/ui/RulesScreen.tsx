import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type Icon, IconEdit, IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTexts } from '~/shared/lib/texts';
import { ConfirmAct } from './ConfirmAct';
import { Empty } from './Empty';
import { Loaded } from './Loaded';
import { PageHeader } from './PageHeader';
import { RowActions } from './table/RowActions';

interface RulesScreenProps<Rule extends { id: string }> {
  title: string;
  message: string;
  query: { currentData?: { results: Rule[] }; error?: unknown; refetch: () => unknown };
  mayChange: boolean;
  newLabel: string;
  empty: { icon: Icon; title: string };
  nameOf: (rule: Rule) => string;
  /** The rule as sentences. */
  inWords: (rule: Rule) => string;
  /** The form of a rule; of a new one without it. */
  form: (rule: Rule | undefined, onClose: () => void) => ReactNode;
  removal: {
    title: string;
    message: string;
    done: string;
    /** Removes it, under the dialog's idempotency key. */
    act: (rule: Rule, key: string) => Promise<unknown>;
  };
}

/** The rules of a kind, each in words, and their changes. */
export function RulesScreen<Rule extends { id: string }>(props: RulesScreenProps<Rule>) {
  const { nameOf, inWords, mayChange, removal } = props;
  const t = useTexts();
  const [editing, setEditing] = useState<Rule | 'new' | null>(null);
  const [removing, setRemoving] = useState<Rule | null>(null);
  return (
    <>
      <PageHeader title={props.title}>
        {mayChange && (
          <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setEditing('new')}>
            {props.newLabel}
          </Button>
        )}
      </PageHeader>
      <Text size="sm" mb="md">
        {props.message}
      </Text>
      <Loaded query={props.query}>
        {({ results }) =>
          results.length === 0 ? (
            <Empty {...props.empty} />
          ) : (
            <Stack gap="md">
              {results.map((rule) => (
                <Paper key={rule.id} withBorder component="section" p="md" aria-label={nameOf(rule)}>
                  <Group justify="space-between" mb="xs" wrap="nowrap">
                    <Title order={2} size="h4">
                      {nameOf(rule)}
                    </Title>
                    {mayChange && (
                      <RowActions
                        name={nameOf(rule)}
                        actions={[
                          {
                            icon: IconEdit,
                            label: t('common:actions.edit'),
                            onClick: () => setEditing(rule),
                          },
                          {
                            icon: IconTrash,
                            label: t('common:actions.remove'),
                            danger: true,
                            onClick: () => setRemoving(rule),
                          },
                        ]}
                      />
                    )}
                  </Group>
                  <Text size="sm">{inWords(rule)}</Text>
                </Paper>
              ))}
            </Stack>
          )
        }
      </Loaded>
      {editing && props.form(editing === 'new' ? undefined : editing, () => setEditing(null))}
      {removing && (
        <ConfirmAct
          title={removal.title}
          message={removal.message}
          facts={[{ label: nameOf(removing), value: inWords(removing) }]}
          confirmLabel={t('common:actions.remove')}
          danger
          act={(key) => removal.act(removing, key)}
          done={removal.done}
          onClose={() => setRemoving(null)}
        />
      )}
    </>
  );
}
