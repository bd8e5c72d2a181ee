import { CloseButton, Paper, Portal } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useTexts } from '~/shared/lib/texts';
import { type Box, freePlace } from './freePlace';
import classes from './Toaster.module.css';
import { type Toast, toastsSlice } from './toasts';

/** Display time of a toast: 5 seconds. */
const DURATION_MS = 5_000;
/** Maximum number of visible toasts; others wait. */
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

/** Default position of the toasts, in pixels from the top and the right. */
const TOP_PX = 68;
const RIGHT_PX = 16;
/** Interval between checks for buttons under the toasts. */
const LOOK_MS = 300;
const CLICKABLE = 'button, a[href], input, select, textarea, [role="tab"], [role="option"]';

/** Text of a dialog that must be read before it is answered. */
const TO_READ = '[role="dialog"] :is(p, h2, dl, [role="alert"])';

/** The matching elements in the window that no dialog covers. */
function inSight(what: string, toasts: HTMLElement): Box[] {
  return [...document.querySelectorAll<HTMLElement>(what)].flatMap((element) => {
    if (toasts.contains(element)) return [];
    const { left, top, width, height } = element.getBoundingClientRect();
    if (width < 2 || height < 2 || top > window.innerHeight || top + height < 0) return [];
    const behind = document
      .elementsFromPoint(left + width / 2, top + height / 2)
      .find((one) => !toasts.contains(one));
    return !behind || element.contains(behind) || behind.contains(element)
      ? [{ left, top, width, height }]
      : [];
  });
}

/** Moves the toasts away from clickable elements and from a dialog's text. */
function useFreePlace(shown: number, held: boolean) {
  const corner = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<{ left: number; top: number } | undefined>();
  useLayoutEffect(() => {
    const element = corner.current;
    if (!element || shown === 0 || held) return;
    const look = () => {
      const { width, height } = element.getBoundingClientRect();
      const usual = { left: window.innerWidth - width - RIGHT_PX, top: TOP_PX, width, height };
      const size = { width: window.innerWidth, height: window.innerHeight };
      const { left, top } = freePlace(usual, size, inSight(CLICKABLE, element), inSight(TO_READ, element));
      setPlace((before) => (before?.left === left && before.top === top ? before : { left, top }));
    };
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [shown, held]);
  return { corner, place };
}

/** The visible toasts; the pointer over them or the focus inside stops their timers. */
export function Toaster() {
  const toasts = useSelector(
    (state: { toasts: ReturnType<typeof toastsSlice.reducer> }) => state.toasts.toasts,
  );
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const shown = toasts.filter((toast) => toast.shown).slice(-AT_ONCE);
  const { corner, place } = useFreePlace(shown.length, hovered || focused);
  // Removing a toast removes pointer and focus without an event.
  useEffect(() => {
    const element = corner.current;
    setHovered(shown.length > 0 && element?.matches(':hover') === true);
    setFocused(shown.length > 0 && element?.contains(document.activeElement) === true);
  }, [shown.length, corner]);
  return (
    <Portal>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the handlers only hold the clock */}
      <div
        ref={corner}
        className={classes.corner}
        // Rendered before its toasts: screen readers announce additions to a live region, not a region that appears
        // with its text.
        aria-live="polite"
        style={place && { ...place, right: 'auto' }}
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
