import { NOT_DONE, type Problem, WAITING_FOR_APPROVAL } from '~/shared/lib/problem';
import type { Texts } from '~/shared/lib/texts';

/** A sentence for a problem: the server's detail, or the client's text for a lost network. */
export function problemText(t: Texts, problem: Problem): string {
  if (problem.code === 'log_diverged') return t('common:quarantine.write');
  if (problem.detail) return problem.detail;
  if (problem.code === 'network') return t('common:failure.network');
  if (problem.code === 'lost') return t('common:failure.lost');
  if (problem.code === WAITING_FOR_APPROVAL) return t('common:waiting.hint');
  if (problem.code === NOT_DONE) return t('common:firstTry.free');
  if (problem.code === 'timeout') return t('common:failure.timeout');
  return t('common:failure.server');
}
