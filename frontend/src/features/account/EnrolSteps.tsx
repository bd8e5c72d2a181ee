import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import {
  newKey,
  type SecondFactorEnrolment,
  underKey,
  useBeginSecondFactorEnrolmentMutation,
  useConfirmSecondFactorEnrolmentMutation,
} from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { CopyValue } from '~/shared/ui/CopyValue';
import { FormShell } from '~/shared/ui/form/FormShell';
import { PasswordField } from '~/shared/ui/form/textFields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { CodeField, codeSchema } from './CodeField';
import { RecoveryCodes } from './RecoveryCodes';

const passwordSchema = z.object({ password: z.string().min(1, 'common:password.required') });
type PasswordValues = z.input<typeof passwordSchema>;

/** Modules of white around a QR code, by its standard. */
const QUIET = 4;
const QR_PX = 220;

interface EnrolStepsProps {
  /** Called after the recovery codes were shown. */
  onDone: () => void;
}

/** Enrols a second factor: password, QR code and first code, recovery codes. */
export function EnrolSteps({ onDone }: EnrolStepsProps) {
  const [begun, setBegun] = useState<SecondFactorEnrolment | null>(null);
  const [codes, setCodes] = useState<{ all: string[] | null } | null>(null);
  if (codes) return <RecoveryCodes codes={codes.all} onDone={onDone} />;
  if (begun) return <ScanStep enrolment={begun} onConfirmed={(all) => setCodes({ all })} />;
  return <PasswordStep onBegun={setBegun} />;
}

function PasswordStep({ onBegun }: { onBegun: (enrolment: SecondFactorEnrolment) => void }) {
  const t = useTexts();
  const [begin] = useBeginSecondFactorEnrolmentMutation();
  const shell = useFormShell({
    resolver: zodForm(passwordSchema),
    defaults: { password: '' },
    newKey,
    send: async ({ password }, key) => {
      onBegun(await begin({ secondFactorEnrolmentInput: underKey({ password }, key) }).unwrap());
    },
  });
  return (
    <FormShell
      shell={shell}
      label={t('account:enrol.begin')}
      actions={
        <Group justify="flex-end">
          <Button type="submit" mih={44} loading={shell.sending}>
            {t('account:enrol.begin')}
          </Button>
        </Group>
      }
    >
      <Text size="sm">{t('account:enrol.password')}</Text>
      <PasswordField<PasswordValues>
        name="password"
        label={t('account:enrol.passwordLabel')}
        required
        autoComplete="current-password"
      />
    </FormShell>
  );
}

interface ScanStepProps {
  enrolment: SecondFactorEnrolment;
  onConfirmed: (codes: string[] | null) => void;
}

function ScanStep({ enrolment, onConfirmed }: ScanStepProps) {
  const t = useTexts();
  const [confirm] = useConfirmSecondFactorEnrolmentMutation();
  const shell = useFormShell({
    resolver: zodForm(codeSchema),
    defaults: { code: '' },
    newKey,
    send: async ({ code }, key) => {
      const { recoveryCodes } = await confirm({
        id: enrolment.id,
        secondFactorCodeInput: underKey({ code }, key),
      }).unwrap();
      onConfirmed(recoveryCodes);
    },
  });
  const { size, path } = enrolment.qr;
  const side = size + 2 * QUIET;
  return (
    <FormShell
      shell={shell}
      label={t('account:enrol.confirm')}
      actions={
        <Group justify="flex-end">
          <Button type="submit" mih={44} loading={shell.sending}>
            {t('account:enrol.confirm')}
          </Button>
        </Group>
      }
    >
      <Text size="sm">{t('account:enrol.scan')}</Text>
      <Stack align="center" gap="xs">
        <svg
          role="img"
          aria-label={t('account:enrol.qr')}
          width={QR_PX}
          height={QR_PX}
          viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}
          shapeRendering="crispEdges"
        >
          {/* Dark on white in the dark theme too: scanners expect it. */}
          <path fill="#fff" d={`M${-QUIET} ${-QUIET}h${side}v${side}h${-side}z`} />
          <path fill="#000" d={path} />
        </svg>
      </Stack>
      <Text size="sm">{t('account:enrol.typed')}</Text>
      <CopyValue value={enrolment.secret} label={t('account:enrol.secret')}>
        <Code style={{ overflowWrap: 'anywhere', fontSize: 'var(--mantine-font-size-sm)' }}>
          {enrolment.secret.match(/.{1,4}/g)?.join(' ')}
        </Code>
      </CopyValue>
      <CodeField appOnly />
    </FormShell>
  );
}
