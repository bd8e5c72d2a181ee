import { Button, Group, Input } from '@mantine/core';
import { IconEraser } from '@tabler/icons-react';
import { useEffect, useId, useRef } from 'react';
import SignaturePad from 'signature_pad';
import { fitStrokes, type Strokes } from '~/shared/lib/strokes';
import { useTexts } from '~/shared/lib/texts';
import classes from './Signature.module.css';

interface SignatureProps {
  label: string;
  error?: string;
  /** Strokes drawn before. */
  initial?: Strokes | null;
  onChange: (image: File | null, strokes: Strokes) => void;
}

/** Dark ink on white in both themes: the image is a document. */
const INK = '#14262b';
const PAPER = '#ffffff';

/** A signature field; reports a PNG after every stroke. */
export function Signature({ label, error, initial, onChange }: SignatureProps) {
  const t = useTexts();
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<SignaturePad | null>(null);
  const tell = useRef(onChange);
  tell.current = onChange;
  const id = useId();
  const first = useRef(initial);

  useEffect(() => {
    const sheet = canvas.current;
    if (!sheet) return;
    const made = new SignaturePad(sheet, {
      penColor: INK,
      backgroundColor: PAPER,
      minWidth: 0.9,
      maxWidth: 2.6,
    });
    pad.current = made;
    const resize = () => {
      const { offsetWidth, offsetHeight } = sheet;
      // Hidden, the sheet has no size that strokes could fit on.
      if (offsetWidth === 0 || offsetHeight === 0) return;
      const ratio = Math.max(window.devicePixelRatio, 1);
      const strokes = first.current ?? made.toData();
      first.current = null;
      sheet.width = offsetWidth * ratio;
      sheet.height = offsetHeight * ratio;
      sheet.getContext('2d')?.scale(ratio, ratio);
      // Setting the size clears a canvas: redrawing keeps the signature when a phone is turned.
      made.fromData(fitStrokes(strokes, offsetWidth, offsetHeight));
    };
    resize();
    const resized = new ResizeObserver(resize);
    resized.observe(sheet);
    const ended = () => {
      sheet.toBlob((blob) => {
        if (blob) tell.current(new File([blob], 'signature.png', { type: 'image/png' }), made.toData());
      }, 'image/png');
    };
    made.addEventListener('endStroke', ended);
    return () => {
      resized.disconnect();
      made.removeEventListener('endStroke', ended);
      made.off();
    };
  }, []);

  const clear = () => {
    pad.current?.clear();
    onChange(null, []);
  };

  return (
    <Input.Wrapper label={label} labelElement="div" labelProps={{ id }} error={error} required>
      <div className={classes.frame} data-error={error ? true : undefined}>
        <canvas ref={canvas} className={classes.sheet} role="img" aria-labelledby={id} />
        <span className={classes.line} aria-hidden />
      </div>
      <Group justify="flex-end" mt={4}>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconEraser size={16} aria-hidden />}
          onClick={clear}
          mih={44}
        >
          {t('common:signature.clear')}
        </Button>
      </Group>
    </Input.Wrapper>
  );
}
