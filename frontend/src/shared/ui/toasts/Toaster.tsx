import { CloseButton, Paper, Portal } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useTexts } from '~/shared/lib/texts';
import classes from './Toaster.module.css';
import { type Toast, toastsSlice } from './toasts';

/** How long a toast stays (specification, points 8 and 9). */
const DURATION_MS = 5_000;
/** More at once would cover the page; the rest wait their turn. */
const AT_ONCE = 4;

const SIGNS = { good: IconCircleCheck, bad: IconAlertTriangle, info: IconInfoCircle };

function ToastCard({ toast, paused }: { toast: Toast; paused: boolean }) {
  const t = useTexts();
  const dispatch = useDispatch();
  const left = useRef(DURATION_MS);

  useEffect(() => {
    if (paused) return;
    const since = Date.now();
    const timer = setTimeout(() => dispatch(toastsSlice.actions.dismissed(toast.id)), left.current);
    return () => {
      clearTimeout(timer);
      left.current -= Date.now() - since;
    };
  }, [paused, toast.id, dispatch]);

  const Sign = SIGNS[toast.tone];
  return (
    <Paper
      className={classes.toast}
      data-tone={toast.tone}
      shadow="md"
      withBorder
      role={toast.tone === 'bad' ? 'alert' : 'status'}
    >
      <Sign size={20} className={classes.sign} aria-hidden />
      <div className={classes.message}>{toast.message}</div>
      <CloseButton
        size="sm"
        aria-label={t('common:toasts.close')}
        onClick={() => dispatch(toastsSlice.actions.dismissed(toast.id))}
      />
    </Paper>
  );
}

/** The toasts on the screen; the pointer over them or the focus among them holds the clock. */
export function Toaster() {
  const toasts = useSelector(
    (state: { toasts: ReturnType<typeof toastsSlice.reducer> }) => state.toasts.toasts,
  );
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const shown = toasts.filter((toast) => toast.shown).slice(-AT_ONCE);
  return (
    <Portal>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the handlers only hold the clock */}
      <div
        className={classes.corner}
        onMouseEnter={() => setHovered(true)}
        onMouseLeave={() => setHovered(false)}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
      >
        {shown.map((toast) => (
          <ToastCard key={toast.id} toast={toast} paused={hovered || focused} />
        ))}
      </div>
    </Portal>
  );
}
