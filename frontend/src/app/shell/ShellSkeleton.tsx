import { useTexts } from '~/shared/lib/texts';
import classes from './ShellSkeleton.module.css';

const MENU_LINES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'] as const;
const CARDS = ['a', 'b', 'c', 'd'] as const;

/**
 * Skeleton of the shell until its code and the profile are loaded. Part of the login's chunk, so that a slow network
 * shows no blank page.
 */
export function ShellSkeleton() {
  const t = useTexts();
  return (
    <div
      className={classes.page}
      role="status"
      aria-busy="true"
      aria-label={t('common:shell.loading')}
      data-shell-skeleton
    >
      <div className={classes.header}>
        <img src="/favicon.svg" width={26} height={26} alt="" />
        <span className={classes.circle} />
      </div>
      <div className={classes.navbar}>
        {MENU_LINES.map((line) => (
          <span key={line} className={classes.line} />
        ))}
      </div>
      <div className={classes.main}>
        <span className={classes.title} />
        <div className={classes.cards}>
          {CARDS.map((card) => (
            <span key={card} className={classes.card} />
          ))}
        </div>
        <span className={classes.panel} />
      </div>
    </div>
  );
}
