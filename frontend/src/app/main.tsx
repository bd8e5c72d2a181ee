import '@fontsource-variable/source-sans-3/wght.css';
import '@mantine/core/styles.layer.css';
import './global.css';
import { createRoot } from 'react-dom/client';
import { App } from './App';
import { router } from './router';
import { startTexts } from './texts';

async function start(): Promise<void> {
  const place = document.getElementById('root');
  if (!place) throw new Error('no #root in index.html');
  await startTexts();
  createRoot(place).render(<App router={router} />);
}

void start();
