import { createSlice, nanoid, type PayloadAction } from '@reduxjs/toolkit';
import { useDispatch } from 'react-redux';

export type ToastTone = 'good' | 'bad' | 'info';

export interface Toast {
  id: string;
  tone: ToastTone;
  message: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Visible on the screen; a hidden toast is only in the history. */
  shown: boolean;
}

/** Maximum messages in the history: enough for a session, bounded for a page left open for weeks. */
const HISTORY = 50;

interface ToastsState {
  /** Newest first. */
  toasts: Toast[];
}

const initialState: ToastsState = { toasts: [] };

export const toastsSlice = createSlice({
  name: 'toasts',
  initialState,
  reducers: {
    shown: {
      prepare: (tone: ToastTone, message: string) => ({
        payload: { id: nanoid(), tone, message, at: Date.now(), shown: true } satisfies Toast,
      }),
      reducer: (state, action: PayloadAction<Toast>) => {
        state.toasts = [action.payload, ...state.toasts].slice(0, HISTORY);
      },
    },
    dismissed: (state, action: PayloadAction<string>) => {
      const toast = state.toasts.find(({ id }) => id === action.payload);
      if (toast) toast.shown = false;
    },
    historyCleared: () => initialState,
  },
});

/** Shows a message at the top right for five seconds; the history keeps it. */
export function useToast(): (tone: ToastTone, message: string) => void {
  const dispatch = useDispatch();
  return (tone, message) => dispatch(toastsSlice.actions.shown(tone, message));
}
