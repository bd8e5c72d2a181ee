import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { NOT_DONE, type Problem } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';
import { problemText } from '../problemText';
import classes from './FormShell.module.css';

interface FormProblemProps {
  shell: { problem: Problem | null; unanswered: boolean };
}

/** What no field could show, above a form's button; yellow where it is no mistake, but a try whose answer was lost. */
export function FormProblem({ shell }: FormProblemProps) {
  const t = useTexts();
  const { problem, unanswered } = shell;
  const here = useRef<HTMLDivElement>(null);
  // A sale's stands far from where a telephone was scrolled to.
  useEffect(() => {
    // jsdom has no scrollIntoView.
    if (problem) here.current?.scrollIntoView?.({ block: 'nearest' });
  }, [problem]);
  if (!problem) return null;
  const isNotice = unanswered || problem.code === NOT_DONE;
  const Icon = isNotice ? IconInfoCircle : IconAlertTriangle;
  return (
    <Alert
      ref={here}
      className={classes.refusal}
      color={isNotice ? 'yellow' : 'red'}
      variant="light"
      icon={<Icon size={18} aria-hidden />}
      role="alert"
    >
      {unanswered ? (
        <>
          {t('common:firstTry.lost')}
          <Text size="sm" mt={4}>
            {t('common:firstTry.asking')}
          </Text>
        </>
      ) : (
        <>
          {problemText(t, problem)}
          {problem.fields.map(({ field, detail }) => (
            <Text key={field} size="sm">
              {detail}
            </Text>
          ))}
        </>
      )}
    </Alert>
  );
}
