import { useCallback } from 'react';
import type { Session } from '~/api';
import { useTexts } from '~/shared/lib/texts';

/** Names of browsers and systems, alike in all languages. */
const BROWSERS: Record<string, string> = {
  chrome: 'Chrome',
  edge: 'Edge',
  firefox: 'Firefox',
  opera: 'Opera',
  safari: 'Safari',
  samsung: 'Samsung Internet',
};
const SYSTEMS: Record<string, string> = {
  android: 'Android',
  chromeos: 'ChromeOS',
  ios: 'iOS',
  linux: 'Linux',
  macos: 'macOS',
  windows: 'Windows',
};

/** The device of a session in words, such as "Firefox on Linux". */
export function useDevice() {
  const t = useTexts();
  return useCallback(
    (session: Pick<Session, 'browser' | 'system'>) => {
      const browser = BROWSERS[session.browser ?? ''];
      const system = SYSTEMS[session.system ?? ''];
      if (browser && system) return t('users:sessions.deviceOn', { browser, system });
      return browser ?? system ?? t('users:sessions.unknown');
    },
    [t],
  );
}
