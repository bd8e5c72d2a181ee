import { Switch } from '@mantine/core';
import { useState } from 'react';
import { asProblem } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';
import { problemText } from '~/shared/ui/problemText';
import { useToast } from '~/shared/ui/toasts/toasts';

interface EnabledSwitchProps {
  label: string;
  enabled: boolean;
  change: (enabled: boolean) => Promise<unknown>;
  /** Asks before it is switched off, and does it then. */
  confirmOff?: () => void;
}

/** Turns something on or off in its row; it shows what the server said, not what was wished. */
export function EnabledSwitch({ label, enabled, change, confirmOff }: EnabledSwitchProps) {
  const t = useTexts();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const toggle = async () => {
    if (enabled && confirmOff) {
      confirmOff();
      return;
    }
    setBusy(true);
    try {
      await change(!enabled);
      toast('good', enabled ? t('nomenclators:place.disabled') : t('nomenclators:place.enabled'));
    } catch (thrown) {
      toast('bad', problemText(t, asProblem(thrown)));
    } finally {
      setBusy(false);
    }
  };
  return <Switch aria-label={label} checked={enabled} disabled={busy} onChange={() => void toggle()} />;
}
