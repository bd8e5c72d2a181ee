/** How many open forms would lose something: nothing is loaded anew under them. */
let open = 0;

/** Counts a form with changes until the returned function is called. */
export function noteUnsaved(): () => void {
  open += 1;
  return () => {
    open -= 1;
  };
}

/** Whether the page could be loaded anew without anybody losing anything: no changed form, and no open dialog. */
export function isQuiet(): boolean {
  return open === 0 && document.querySelector('[role=dialog], [role=alertdialog]') === null;
}
