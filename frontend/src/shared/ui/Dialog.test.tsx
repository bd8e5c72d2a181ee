import { MantineProvider, TextInput } from '@mantine/core';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { type ReactNode, useState } from 'react';
import { initReactI18next } from 'react-i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import { Dialog } from './Dialog';

function Opened({ children, onClose = () => undefined }: { children: ReactNode; onClose?: () => void }) {
  return (
    <Dialog opened step={false} onClose={onClose} title="Moneda" transitionProps={{ duration: 0 }}>
      {children}
    </Dialog>
  );
}

const show = (dialog: ReactNode) => render(<MantineProvider>{dialog}</MantineProvider>);
const hasFocus = (label: string) => waitFor(() => expect(screen.getByLabelText(label)).toHaveFocus());
/** Longer than the focus trap waits. */
const settle = () => new Promise((done) => setTimeout(done, 30));

beforeAll(async () => {
  await i18next.use(initReactI18next).init({ lng: 'es', resources: {} });
});

describe('a dialog that opens', () => {
  it('gives the focus to the first enabled field of its form, not to its cross', async () => {
    show(
      <Opened>
        <form>
          <TextInput label="Código" disabled />
          <div hidden>
            <TextInput label="Oculto" />
          </div>
          <TextInput label="Símbolo" />
        </form>
      </Opened>,
    );
    await hasFocus('Símbolo');
    await settle();
    await hasFocus('Símbolo');
  });

  it('gives the focus to the field that is named for it', async () => {
    show(
      <Opened>
        <form>
          <TextInput label="Código" />
          <TextInput label="Símbolo" data-autofocus />
        </form>
      </Opened>,
    );
    await hasFocus('Símbolo');
  });

  it('gives the focus to the first enabled field where the named one is disabled, and keeps Tab within', async () => {
    show(
      <Opened>
        <form>
          <TextInput label="Código" disabled data-autofocus />
          <TextInput label="Símbolo" />
        </form>
      </Opened>,
    );
    await hasFocus('Símbolo');
    await settle();
    await hasFocus('Símbolo');
    for (let tab = 0; tab < 4; tab++) {
      await userEvent.tab();
      expect(document.activeElement?.closest('[role=dialog]')).not.toBeNull();
    }
  });

  function Late() {
    const [loaded, setLoaded] = useState(false);
    return (
      <Opened>
        <form>
          {loaded && <TextInput label="Tipo" />}
          <button type="button" onMouseEnter={() => setLoaded(true)} onClick={() => setLoaded(true)}>
            Cargar
          </button>
        </form>
      </Opened>
    );
  }

  it('gives the focus to a field that is loaded later', async () => {
    show(<Late />);
    await settle();
    await userEvent.hover(screen.getByRole('button', { name: 'Cargar' }));
    await hasFocus('Tipo');
  });

  it('leaves the focus where the reader put it meanwhile', async () => {
    show(<Late />);
    await settle();
    const button = screen.getByRole('button', { name: 'Cargar' });
    button.focus();
    await userEvent.keyboard('{Enter}');
    await screen.findByLabelText('Tipo');
    await settle();
    expect(button).toHaveFocus();
  });
});

describe('Escape', () => {
  function Stack({ closed }: { closed: (which: string) => void }) {
    const [question, setQuestion] = useState(false);
    const closes = (which: string, asked: boolean) => () => {
      closed(which);
      setQuestion(asked);
    };
    return (
      <>
        <Opened onClose={closes('form', true)}>
          <span>Formulario</span>
        </Opened>
        <Dialog
          opened={question}
          step={false}
          onClose={closes('question', false)}
          title="Pregunta"
          transitionProps={{ duration: 0 }}
        >
          <span>¿Salir?</span>
        </Dialog>
      </>
    );
  }

  it('is answered by the topmost dialog only', async () => {
    const closed: string[] = [];
    show(<Stack closed={(which) => closed.push(which)} />);
    await userEvent.keyboard('{Escape}');
    await screen.findByText('¿Salir?');
    expect(closed).toEqual(['form']);
    await userEvent.keyboard('{Escape}');
    expect(closed).toEqual(['form', 'question']);
    await userEvent.keyboard('{Escape}');
    expect(closed).toEqual(['form', 'question', 'form']);
  });
});
