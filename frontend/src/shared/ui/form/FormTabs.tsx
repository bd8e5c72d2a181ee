import { Tabs } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { useTexts } from '~/shared/lib/texts';

export interface FormTab {
  value: string;
  label: string;
  /** The fields on it: a tab with one at fault is marked, and shown when the form is refused. */
  fields: readonly string[];
  content: ReactNode;
}

interface FormTabsProps {
  label: string;
  tabs: FormTab[];
  /** Tabs within a tab look lighter. */
  inner?: boolean;
}

/** A form's fields on tabs. What stands on a tab that does not show is part of the form all the same. */
export function FormTabs({ label, tabs, inner = false }: FormTabsProps) {
  const t = useTexts();
  const { formState, setFocus } = useFormContext();
  const { errors, submitCount } = formState;
  const [tab, setTab] = useState(tabs[0]?.value ?? null);
  const focusNext = useRef<string | null>(null);
  const faulty = (one: FormTab) => one.fields.find((field) => field in errors);

  // Only a new refusal moves the reader; while he corrects, the tab is his.
  const answered = useRef(submitCount);
  useEffect(() => {
    if (submitCount === answered.current) return;
    answered.current = submitCount;
    const shown = tabs.find(({ value }) => value === tab);
    if (shown && faulty(shown)) return;
    const first = tabs.find(faulty);
    if (!first) return;
    focusNext.current = faulty(first) ?? null;
    setTab(first.value);
  });

  useEffect(() => {
    if (focusNext.current && tab) setFocus(focusNext.current);
    focusNext.current = null;
  }, [tab, setFocus]);

  return (
    <Tabs value={tab} onChange={setTab} keepMounted={false} variant={inner ? 'pills' : 'default'}>
      <Tabs.List aria-label={label} mb="md">
        {tabs.map((one) => (
          <Tabs.Tab
            key={one.value}
            value={one.value}
            rightSection={
              faulty(one) && (
                <IconAlertCircle
                  size={16}
                  color="var(--mantine-color-error)"
                  role="img"
                  aria-label={t('common:form.tabFaulty')}
                />
              )
            }
          >
            {one.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((one) => (
        <Tabs.Panel key={one.value} value={one.value}>
          {one.content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
