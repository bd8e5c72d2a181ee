import {
  type Icon,
  IconBan,
  IconCheck,
  IconCircleCheck,
  IconClockHour4,
  IconColumns3,
  IconCopyCheck,
  IconExclamationCircle,
  IconEyeCheck,
  IconEyeSearch,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerSkipForward,
} from '@tabler/icons-react';
import type { ImportRowResult, ImportState, ImportView } from '~/api';
import type { Tone } from '~/shared/ui/StatusBadge';

interface Look {
  tone: Tone;
  icon: Icon;
}

export const STATES: Record<ImportState, Look> = {
  mapping: { tone: 'waiting', icon: IconColumns3 },
  previewing: { tone: 'moving', icon: IconEyeSearch },
  previewed: { tone: 'waiting', icon: IconEyeCheck },
  running: { tone: 'moving', icon: IconPlayerPlay },
  paused: { tone: 'waiting', icon: IconPlayerPause },
  done: { tone: 'good', icon: IconCircleCheck },
  canceled: { tone: 'neutral', icon: IconBan },
};

export const RESULTS: Record<ImportRowResult, Look> = {
  added: { tone: 'good', icon: IconCheck },
  there: { tone: 'neutral', icon: IconCopyCheck },
  waiting: { tone: 'waiting', icon: IconClockHour4 },
  refused: { tone: 'bad', icon: IconExclamationCircle },
  leftOut: { tone: 'neutral', icon: IconPlayerSkipForward },
};

/** Interval of asking how far an import at work is, which no event tells. */
export const POLL_MS = 1_500;

/** Whether a node works on an import. */
export const isAtWork = ({ state }: Pick<ImportView, 'state'>) =>
  state === 'previewing' || state === 'running';
