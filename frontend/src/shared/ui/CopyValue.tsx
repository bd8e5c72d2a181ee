import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTexts } from '~/shared/lib/texts';
import classes from './CopyValue.module.css';

interface CopyValueProps {
  /** What is copied: what a bank's application takes, without grouping. */
  value: string;
  /** What it is, for who cannot see which button belongs to what. */
  label: string;
  /** How it is shown; the value itself when absent. */
  children?: ReactNode;
}

/** A value with a button that copies it. */
export function CopyValue({ value, label, children }: CopyValueProps) {
  const t = useTexts();
  return (
    <span className={classes.pair}>
      <span>{children ?? value}</span>
      <CopyButton value={value}>
        {({ copied, copy }) => {
          const said = copied ? t('common:copy.done') : t('common:copy.label', { label });
          return (
            <Tooltip label={said} withArrow openDelay={400}>
              <ActionIcon
                variant="subtle"
                size={36}
                className={classes.button}
                onClick={(event) => {
                  event.stopPropagation();
                  copy();
                }}
                aria-label={said}
              >
                {copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
              </ActionIcon>
            </Tooltip>
          );
        }}
      </CopyButton>
    </span>
  );
}
