; Installer for one user, which needs no rights of an administrator. build.sh defines VERSION, FILES (the folder with the
; installed files), ICON and OUTPUT. Options: /S installs without questions, /D=FOLDER sets the folder.
Target amd64-unicode  ; the installer is a 64-bit program, as the installed ones are
!include "MUI2.nsh"
!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Voxwake"
Name "Voxwake ${VERSION}"
OutFile "${OUTPUT}"
SetCompressor /SOLID lzma
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\Voxwake"
InstallDirRegKey HKCU "${KEY}" "InstallLocation"
!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\voxwake-window.exe"
!insertmacro MUI_PAGE_LICENSE "${FILES}/LICENSE.txt"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

; Registers a type of file that Voxwake opens.
!macro Type NAME TITLE
  WriteRegStr HKCU "Software\Classes\${NAME}" "" "${TITLE}"
  WriteRegStr HKCU "Software\Classes\${NAME}\DefaultIcon" "" "$INSTDIR\voxwake.exe,0"
  WriteRegStr HKCU "Software\Classes\${NAME}\shell\open\command" "" '"$INSTDIR\voxwake-window.exe" "%1"'
!macroend
; A double click on files with this ending opens Voxwake, unless the user has chosen another program.
!macro Ending ENDING NAME
  WriteRegStr HKCU "Software\Classes\${ENDING}" "" "${NAME}"
  WriteRegStr HKCU "Software\Classes\${ENDING}\OpenWithProgids" "${NAME}" ""
!macroend
; Voxwake appears in the list "Open with" of files with this ending.
!macro OpensWith ENDING NAME
  WriteRegStr HKCU "Software\Classes\${ENDING}\OpenWithProgids" "${NAME}" ""
!macroend
; Removes the ending, unless another program has taken it over meanwhile.
!macro RemoveEnding ENDING NAME
  ReadRegStr $0 HKCU "Software\Classes\${ENDING}" ""
  StrCmp $0 "${NAME}" 0 +2
    DeleteRegValue HKCU "Software\Classes\${ENDING}" ""
  DeleteRegValue HKCU "Software\Classes\${ENDING}\OpenWithProgids" "${NAME}"
  DeleteRegKey /ifempty HKCU "Software\Classes\${ENDING}\OpenWithProgids"
  DeleteRegKey /ifempty HKCU "Software\Classes\${ENDING}"
!macroend
!macro TellDesktop  ; SHCNE_ASSOCCHANGED
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend

Section
  SetOutPath "$INSTDIR"
  File /r "${FILES}/*.*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Voxwake.lnk" "$INSTDIR\voxwake-window.exe"
  !insertmacro Type "Voxwake.Scene" "Voxwake scene"
  !insertmacro Type "Voxwake.Session" "Voxwake session"
  !insertmacro Type "Voxwake.Design" "VoxCAD design"
  !insertmacro Type "Voxwake.Recording" "Recording of voxcraft"
  !insertmacro Ending ".vwj" "Voxwake.Session"
  !insertmacro Ending ".vxa" "Voxwake.Design"
  !insertmacro Ending ".vxc" "Voxwake.Design"
  !insertmacro Ending ".vxd" "Voxwake.Design"
  !insertmacro OpensWith ".toml" "Voxwake.Scene"
  !insertmacro OpensWith ".history" "Voxwake.Recording"
  WriteRegStr HKCU "${KEY}" "DisplayName" "Voxwake"
  WriteRegStr HKCU "${KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${KEY}" "Publisher" "The Voxwake founders"
  WriteRegStr HKCU "${KEY}" "DisplayIcon" "$INSTDIR\voxwake.exe,0"
  WriteRegStr HKCU "${KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${KEY}" "NoRepair" 1
  !insertmacro TellDesktop
SectionEnd

Section "Uninstall"
  Delete "$INSTDIR\voxwake.exe"
  Delete "$INSTDIR\voxwake-window.exe"
  Delete "$INSTDIR\voxwake-bench.exe"
  Delete "$INSTDIR\LICENSE.txt"
  RMDir /r "$INSTDIR\assets"
  RMDir /r "$INSTDIR\fonts"
  RMDir /r "$INSTDIR\licences"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"  ; stays if the user has put files there
  Delete "$SMPROGRAMS\Voxwake.lnk"
  !insertmacro RemoveEnding ".vwj" "Voxwake.Session"
  !insertmacro RemoveEnding ".vxa" "Voxwake.Design"
  !insertmacro RemoveEnding ".vxc" "Voxwake.Design"
  !insertmacro RemoveEnding ".vxd" "Voxwake.Design"
  !insertmacro RemoveEnding ".toml" "Voxwake.Scene"
  !insertmacro RemoveEnding ".history" "Voxwake.Recording"
  DeleteRegKey HKCU "Software\Classes\Voxwake.Scene"
  DeleteRegKey HKCU "Software\Classes\Voxwake.Session"
  DeleteRegKey HKCU "Software\Classes\Voxwake.Design"
  DeleteRegKey HKCU "Software\Classes\Voxwake.Recording"
  DeleteRegKey HKCU "${KEY}"
  !insertmacro TellDesktop
SectionEnd
