import { Tabs } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { useTexts } from '~/shared/lib/texts';

export interface FormTab {
  value: string;
  label: string;
  /** Fields on the tab: a tab with an error is marked, and shown when the form is refused. */
  fields: readonly string[];
  content: ReactNode;
}

interface FormTabsProps {
  label: string;
  tabs: FormTab[];
  /** Tabs inside a tab have a lighter style. */
  inner?: boolean;
}

/** A form's fields on tabs. Fields on hidden tabs are part of the form. */
export function FormTabs({ label, tabs, inner = false }: FormTabsProps) {
  const t = useTexts();
  const { formState, setFocus } = useFormContext();
  const { errors, submitCount } = formState;
  const [tab, setTab] = useState(tabs[0]?.value ?? null);
  const focusNext = useRef<string | null>(null);
  const faulty = (one: FormTab) => one.fields.find((field) => field in errors);

  // Only a new refusal changes the tab; while the reader corrects fields, the tab stays.
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
