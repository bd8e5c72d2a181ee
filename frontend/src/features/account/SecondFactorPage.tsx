import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import {
  type SecondFactor,
  underKey,
  useGetSecondFactorQuery,
  useProfile,
  useRemoveSecondFactorMutation,
  useRenewRecoveryCodesMutation,
} from '~/api';
import * as may from '~/api/policy';
import { formatDateTime } from '~/shared/lib/dates';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { ConfirmAct } from '~/shared/ui/ConfirmAct';
import { Dialog } from '~/shared/ui/Dialog';
import { Facts } from '~/shared/ui/Facts';
import { Loaded } from '~/shared/ui/Loaded';
import { PageHeader } from '~/shared/ui/PageHeader';
import { useToast } from '~/shared/ui/toasts/toasts';
import { CodeModal } from './CodeModal';
import { EnrolSteps } from './EnrolSteps';
import { PasskeySteps } from './PasskeySteps';
import { Passkeys } from './Passkeys';
import { RecoveryCodes } from './RecoveryCodes';
import { RolesForm } from './RolesForm';

/** The reader's own second factor; for a manager also which roles need one. */
export default function SecondFactorPage() {
  const t = useTexts();
  const { role } = useProfile();
  const query = useGetSecondFactorQuery({});
  // The recovery codes stay until the reader has them, although the factor is in force by then.
  const [enrolling, setEnrolling] = useState(false);
  const [adding, setAdding] = useState(false);
  return (
    <>
      <PageHeader title={t('common:menu.secondFactor')} />
      <Stack gap="lg">
        <Paper withBorder p={{ base: 'sm', sm: 'lg' }} maw={640}>
          {enrolling ? (
            <EnrolSteps onDone={() => setEnrolling(false)} />
          ) : (
            <Loaded query={query}>
              {(factor) => (
                <Stack gap="md">
                  {factor.isEnrolled && <Enrolled factor={factor} />}
                  {!factor.hasApp && (
                    <>
                      <Text size="sm">{t('account:enrol.intro')}</Text>
                      <Group>
                        <Button
                          variant={factor.isEnrolled ? 'default' : 'filled'}
                          mih={44}
                          onClick={() => setEnrolling(true)}
                        >
                          {t('account:enrol.switchOn')}
                        </Button>
                      </Group>
                    </>
                  )}
                </Stack>
              )}
            </Loaded>
          )}
        </Paper>
        {!enrolling && (
          <Paper withBorder p={{ base: 'sm', sm: 'lg' }} maw={640}>
            <Loaded query={query}>
              {(factor) => <Passkeys factor={factor} onAdd={() => setAdding(true)} />}
            </Loaded>
          </Paper>
        )}
        {adding && (
          <Dialog
            opened
            onClose={() => setAdding(false)}
            title={t('account:passkeys.add')}
            size="md"
            closeOnClickOutside={false}
          >
            <PasskeySteps onDone={() => setAdding(false)} />
          </Dialog>
        )}
        {may.setSecondFactorRoles.includes(role) && <RolesForm />}
      </Stack>
    </>
  );
}

function Enrolled({ factor }: { factor: SecondFactor }) {
  const t = useTexts();
  const locale = useLocale();
  const toast = useToast();
  const { timeZone } = useProfile();
  const [asked, setAsked] = useState<'renew' | 'remove' | null>(null);
  const [codes, setCodes] = useState<{ all: string[] | null } | null>(null);
  const [renew] = useRenewRecoveryCodesMutation();
  const [remove] = useRemoveSecondFactorMutation();
  return (
    <Stack gap="md">
      <Title order={2} size="h4">
        {t('account:enrolled.title')}
      </Title>
      <Facts
        facts={[
          ...(factor.enrolledAt
            ? [
                {
                  label: t('account:enrolled.since'),
                  value: formatDateTime(factor.enrolledAt, locale, timeZone),
                },
              ]
            : []),
          { label: t('account:enrolled.left'), value: String(factor.recoveryCodesLeft ?? 0) },
        ]}
      />
      <Group gap="sm">
        <Button variant="default" mih={44} onClick={() => setAsked('renew')}>
          {t('account:enrolled.renew')}
        </Button>
        {factor.hasApp && (
          <Button variant="light" color="red" mih={44} onClick={() => setAsked('remove')}>
            {t('account:enrolled.remove')}
          </Button>
        )}
      </Group>
      {asked === 'renew' && !factor.hasApp && (
        <ConfirmAct
          title={t('account:enrolled.renew')}
          message={t('account:enrolled.renewMessage')}
          facts={[]}
          confirmLabel={t('account:enrolled.renew')}
          // Without a code: the server asks for a fresh confirmation, and the call is sent again.
          act={async (key) => {
            const { recoveryCodes } = await renew({
              optionalSecondFactorCodeInput: underKey({}, key),
            }).unwrap();
            setCodes({ all: recoveryCodes });
          }}
          done={t('account:enrolled.renewed')}
          onClose={() => setAsked(null)}
        />
      )}
      {asked === 'renew' && factor.hasApp && (
        <CodeModal
          title={t('account:enrolled.renew')}
          message={t('account:enrolled.renewMessage')}
          action={t('account:enrolled.renew')}
          send={async (code, key) => {
            const { recoveryCodes } = await renew({
              optionalSecondFactorCodeInput: underKey({ code }, key),
            }).unwrap();
            setCodes({ all: recoveryCodes });
          }}
          onClose={() => setAsked(null)}
        />
      )}
      {asked === 'remove' && (
        <CodeModal
          title={t('account:enrolled.remove')}
          message={t(
            factor.passkeys.length > 0
              ? 'account:enrolled.removeApp'
              : factor.isRequired
                ? 'account:enrolled.removeRequired'
                : 'account:enrolled.removeMessage',
          )}
          action={t('account:enrolled.remove')}
          send={async (code, key) => {
            await remove({ optionalSecondFactorCodeInput: underKey({ code }, key) }).unwrap();
            toast('good', t('account:enrolled.removed'));
          }}
          onClose={() => setAsked(null)}
        />
      )}
      {codes && (
        <Dialog
          opened
          onClose={() => setCodes(null)}
          title={t('account:recovery.title')}
          size="md"
          closeOnClickOutside={false}
          closeOnEscape={false}
          withCloseButton={false}
        >
          <RecoveryCodes codes={codes.all} onDone={() => setCodes(null)} />
        </Dialog>
      )}
    </Stack>
  );
}
