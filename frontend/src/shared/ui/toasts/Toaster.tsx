import { CloseButton, Paper, Portal } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useTexts } from '~/shared/lib/texts';
import { type Box, freePlace } from './freePlace';
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

/** Where the toasts usually stand, in pixels from the top and the right. */
const TOP_PX = 68;
const RIGHT_PX = 16;
/** How often it is looked whether a button came to stand under them. */
const LOOK_MS = 300;
const CLICKABLE = 'button, a[href], input, select, textarea, [role="tab"], [role="option"]';

/** What a dialog says before it is answered. */
const TO_READ = '[role="dialog"] :is(p, h2, dl, [role="alert"])';

/** What of it there is now, in the window and not behind a dialog. */
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

/** Keeps the toasts off whatever can be clicked, and what a dialog says, while any is shown. */
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

/** The toasts on the screen; the pointer over them or the focus among them holds the clock. */
export function Toaster() {
  const toasts = useSelector(
    (state: { toasts: ReturnType<typeof toastsSlice.reducer> }) => state.toasts.toasts,
  );
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const shown = toasts.filter((toast) => toast.shown).slice(-AT_ONCE);
  const { corner, place } = useFreePlace(shown.length, hovered || focused);
  // A toast that goes takes pointer and focus with it, and the browser tells of neither.
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
        // There before its toasts: a screen reader tells what is added to a live region, not one that comes with its text.
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
