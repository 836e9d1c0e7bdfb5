
	"serve8S

af
'
bIfa*
thenR
f*
b
J
g 


f
x
y
nf


g
save/Const:0(8"
	variables
v"
n
¬*%
s 

x
x:0ÿÿÿÿÿÿÿÿÿm2

t:0f.txt:
:2v
f