import { ActionIcon, Button, CloseButton, Collapse, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDisclosure, useMediaQuery } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconFilterOff, IconSearch } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTexts } from '~/shared/lib/texts';
import { PHONE } from '../breakpoints';
import classes from './FilterBar.module.css';

interface FilterBarProps {
  search: string | undefined;
  /** Accessible name of the search box; no search box if absent. */
  searchLabel?: string;
  onSearch: (text: string | undefined) => void;
  active: number;
  onClear: () => void;
  /** Filters that are always visible on a desktop. */
  children?: ReactNode;
  /** Filters behind a button. */
  more?: ReactNode;
  /** Number of those that are set: if any, they are visible from the start. */
  moreActive?: number;
  /** At the end of the line: views, columns, export. */
  tools?: ReactNode;
}

/** Debounce: long enough not to search at every letter, short enough to feel immediate. */
const SEARCH_DELAY_MS = 300;

/** A list's search box and filters; on a phone the filters open below the search. */
export function FilterBar(props: FilterBarProps) {
  const t = useTexts();
  const phone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const [opened, { toggle }] = useDisclosure((props.moreActive ?? 0) > 0);
  const [text, setText] = useState(props.search ?? '');
  const asked = useRef(props.search);
  useEffect(() => {
    // The searched text returns with the address while further letters are typed: these stay.
    if (props.search !== asked.current) setText(props.search ?? '');
    asked.current = props.search;
  }, [props.search]);
  const search = useDebouncedCallback((value: string) => {
    asked.current = value.trim() || undefined;
    props.onSearch(asked.current);
  }, SEARCH_DELAY_MS);

  const type = (value: string) => {
    setText(value);
    search(value);
  };

  const moreButton =
    phone && (props.more || props.children) ? (
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t('common:filters.more')}
        aria-expanded={opened}
        onClick={toggle}
      >
        <IconAdjustmentsHorizontal size={18} stroke={1.7} aria-hidden />
      </ActionIcon>
    ) : (
      props.more && (
        <Button
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
          aria-expanded={opened}
          onClick={toggle}
        >
          {t('common:filters.more')}
        </Button>
      )
    );
  const clearButton = props.active > 0 && !phone && (
    <Button variant="subtle" leftSection={<IconFilterOff size={16} aria-hidden />} onClick={props.onClear}>
      {t('common:filters.clear')}
    </Button>
  );

  return (
    <search className={classes.bar}>
      <div className={classes.line}>
        {props.searchLabel && (
          <TextInput
            className={classes.search}
            type="search"
            aria-label={props.searchLabel}
            placeholder={props.searchLabel}
            leftSection={<IconSearch size={16} aria-hidden />}
            rightSection={
              text && (
                <CloseButton
                  size="sm"
                  aria-label={t('common:filters.clearSearch')}
                  onClick={() => type('')}
                />
              )
            }
            value={text}
            onChange={(event) => type(event.currentTarget.value)}
          />
        )}
        {!phone && props.children}
        {moreButton}
        {clearButton}
        {props.tools && <div className={classes.tools}>{props.tools}</div>}
      </div>
      <Collapse expanded={opened}>
        <div className={classes.more}>
          {phone && props.children}
          {props.more}
          {phone && props.active > 0 && (
            <Button
              variant="subtle"
              leftSection={<IconFilterOff size={16} aria-hidden />}
              onClick={props.onClear}
            >
              {t('common:filters.clear')}
            </Button>
          )}
        </div>
      </Collapse>
    </search>
  );
}
