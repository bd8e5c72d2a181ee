import { Button } from '@mantine/core';
import { switchLanguage } from '~/shared/lib/language';
import { useLanguage, useTexts } from '~/shared/lib/texts';
import spanish from './flags/es.svg?inline';
import english from './flags/us.svg?inline';

/** Target language of the toggle, named in that language. */
const OTHER = {
  es: { language: 'en', flag: english, name: 'English' },
  en: { language: 'es', flag: spanish, name: 'Español' },
} as const;

/** Switches between the two languages; shows the other one. */
export function LanguageToggle() {
  const t = useTexts();
  const other = OTHER[useLanguage()];
  return (
    <Button
      variant="subtle"
      color="gray"
      px={10}
      h={44}
      lang={other.language}
      aria-label={t('common:shell.language', { language: other.name })}
      leftSection={
        <img src={other.flag} width={20} height={14} alt="" style={{ borderRadius: 2, display: 'block' }} />
      }
      onClick={() => void switchLanguage(other.language)}
    >
      {other.name}
    </Button>
  );
}
