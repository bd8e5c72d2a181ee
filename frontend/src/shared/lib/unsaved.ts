/** Number of open forms with unsaved changes, which block a reload. */
let open = 0;

/** Registers a form with changes until the returned function is called. */
export function noteUnsaved(): () => void {
  open += 1;
  return () => {
    open -= 1;
  };
}

/** Whether an open form has unsaved changes. */
export function hasUnsaved(): boolean {
  return open > 0;
}

/** Whether a reload would lose nothing: no changed form, and no open dialog. */
export function isQuiet(): boolean {
  return !hasUnsaved() && document.querySelector('[role=dialog], [role=alertdialog]') === null;
}
