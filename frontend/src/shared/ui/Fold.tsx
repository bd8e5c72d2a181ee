import { Button, Collapse } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** What stands folded below its title until somebody asks for it. */
export function Fold({ title, children }: { title: string; children: ReactNode }) {
  const [opened, { toggle }] = useDisclosure(false);
  const Chevron = opened ? IconChevronDown : IconChevronRight;
  return (
    <div>
      <Button
        type="button"
        variant="subtle"
        size="compact-sm"
        mih={44}
        leftSection={<Chevron size={16} aria-hidden />}
        aria-expanded={opened}
        onClick={toggle}
      >
        {title}
      </Button>
      <Collapse expanded={opened}>{opened && children}</Collapse>
    </div>
  );
}
