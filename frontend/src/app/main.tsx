import '@fontsource-variable/source-sans-3/wght.css';
import './styles/first.css';
import './global.css';
import { createRoot } from 'react-dom/client';
import { refreshSession, sessionState } from '~/api/session';
import { traceActions } from '~/api/trace';
import { App } from './App';
import { router } from './router';
import { startTexts } from './texts';

async function start(): Promise<void> {
  const place = document.getElementById('root');
  if (!place) throw new Error('no #root in index.html');
  traceActions();
  // Requested in parallel with the screens' code.
  if (sessionState() === 'unknown') void refreshSession();
  await startTexts();
  createRoot(place).render(<App router={router} />);
}

/** In both languages and without a component: what brings texts and components did not load. */
function sayThatItFailed(): void {
  const place = document.getElementById('root');
  if (!place) return;
  const said = document.createElement('p');
  said.textContent = 'Caudal no se pudo cargar. · Caudal could not be loaded.';
  const again = document.createElement('button');
  again.textContent = 'Volver a cargar · Reload';
  again.addEventListener('click', () => window.location.reload());
  const notice = document.createElement('main');
  notice.className = 'notLoaded';
  notice.append(said, again);
  place.replaceChildren(notice);
}

start().catch(sayThatItFailed);
